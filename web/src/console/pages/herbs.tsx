// Herbs: the graph explorer and the safety check. `#/herbs/herb/curcuma-longa`, `#/herbs/safety?herbs=…`.
import { useTexts } from "../language";
import { Choices, PageHead } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { Safety } from "./herbs/safety";
import { GraphExplorer } from "./herbs/graph_explorer";
import { HERBS } from "./herbs/texts";

const FIRST = ["herb", "curcuma-longa"] as const;

export default function Page({ path, params }: PageProps) {
  const texts = useTexts(HERBS);
  const view = path[0] === "safety" ? "safety" : "graph";
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <Choices label={texts.view} value={view} options={[["graph", texts.graph], ["safety", texts.safety]]} onValue={(chosen) => navigate(chosen === "safety" ? buildHref("herbs", ["safety"]) : buildHref("herbs"))} />
      </PageHead>
      {view === "safety" ? <Safety params={params} /> : <GraphExplorer type={path[0] ?? FIRST[0]} id={path[1] ?? FIRST[1]} />}
    </>
  );
}
