// Herbs: the graph to walk, and the safety check. `#/herbs/herb/curcuma-longa`, `#/herbs/safety?herbs=…`.
import { useWords } from "../language";
import { Choices, PageHead } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { Safety } from "./herbs/safety";
import { Walk } from "./herbs/walk";
import { HERBS } from "./herbs/words";

const FIRST = ["herb", "curcuma-longa"] as const;

export default function Page({ path, params }: PageProps) {
  const words = useWords(HERBS);
  const view = path[0] === "safety" ? "safety" : "graph";
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Choices label={words.view} value={view} options={[["graph", words.graph], ["safety", words.safety]]} onValue={(chosen) => go(chosen === "safety" ? to("herbs", ["safety"]) : to("herbs"))} />
      </PageHead>
      {view === "safety" ? <Safety params={params} /> : <Walk type={path[0] ?? FIRST[0]} id={path[1] ?? FIRST[1]} />}
    </>
  );
}
