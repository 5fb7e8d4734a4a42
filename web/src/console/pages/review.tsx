// Review of herb statements: the queue, one statement, and coverage. `#/review?severity=major`, `#/review/statement/ix-0014`,
// `#/review/coverage?type=formulation`.
import { useTexts } from "../language";
import { Choices, PageHead } from "../parts";
import type { PageProps } from "../routes";
import { buildHref, navigate } from "../router";
import { Coverage } from "./review/coverage";
import { Queue } from "./review/queue";
import { StatementPage } from "./review/statement";
import { REVIEW } from "./review/texts";

export default function Page({ path, params }: PageProps) {
  const texts = useTexts(REVIEW);
  if (path[0] === "statement" && path[1]) return <StatementPage key={path[1]} id={path[1]} />;
  const view = path[0] === "coverage" ? "coverage" : "queue";
  return (
    <>
      <PageHead title={view === "coverage" ? texts.coverageTitle : texts.title} lead={view === "coverage" ? texts.coverageLead : texts.lead}>
        <Choices label={texts.view} value={view} options={[["queue", texts.queue], ["coverage", texts.coverage]]} onValue={(chosen) => navigate(buildHref("review", chosen === "coverage" ? ["coverage"] : []))} />
      </PageHead>
      {view === "coverage" ? <Coverage params={params} /> : <Queue params={params} />}
    </>
  );
}
