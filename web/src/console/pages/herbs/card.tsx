// What is known of one node: a herb by its own resource, every other by the graph's.
import type { ComponentChildren } from "preact";
import { callTool, getJson } from "../../api";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Facts, Shown } from "../../parts";
import { to } from "../../router";
import { type GraphNode, labelOf } from "./graph";
import { Review, Sources, Strength } from "./marks";
import { type Checked, Warnings } from "./warnings";
import { HERBS, type HerbWords } from "./words";

interface Herb {
  names: { th: string; en: string; la: string; others: string[] };
  parts: string[];
  constituents: { id: string; name: string }[];
  indications: { id: string; icdCode: string; description: string; description_en: string; evidence_level: string | null; review: string }[];
  formulations: { id: string; name: string; part: string | null; amount: string | null }[];
  papers: string[];
  sources: string[];
  review: string;
  note: string | null;
}

interface Stated {
  names: string[];
  statements: { type: keyof HerbWords; outward: boolean; other: string; label: string; strength: string | null; review: string; sources: string[] }[];
  sources: { id: string; title: string | null; year: number | null; url: string | null }[];
  review: string;
  note: string | null;
}

const SHOWN = 12;

export function NodeCard({ node }: { node: GraphNode }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const warned = node.type === "herb" || node.type === "formulation";
  return (
    <div class="node-card">
      <div class="row">
        <h2>{labelOf(node, language)}</h2>
        <Badge tone="brand">{words[node.type]}</Badge>
      </div>
      {warned && <NodeWarnings node={node} />}
      {node.type === "herb" ? <HerbFacts id={node.id} /> : <NodeFacts node={node} />}
    </div>
  );
}

function useResource<T>(type: string, id: string) {
  const uri = `kg://${type}/${encodeURIComponent(id)}`;
  return useLoaded((signal) => getJson<{ data: T }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((found) => found.data), [uri]);
}

function NodeWarnings({ node }: { node: GraphNode }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const args = { [node.type === "herb" ? "herb_ids" : "formulation_ids"]: [node.id], lang: language, limit: 500 };
  const loaded = useLoaded((signal) => callTool<Checked>("tool.find_contraindications", args, { signal }).then((answer) => answer.data), [node.id, language]);
  return (
    <section class="warned" aria-label={words.warnings}>
      <Shown loaded={loaded}>
        {(found) => (
          <>
            <div class="row">
              <h3>
                {words.warnings} ({found.total})
              </h3>
              <a href={to("herbs", ["safety"], { [node.type === "herb" ? "herbs" : "formulations"]: node.id })}>{words.safety}</a>
            </div>
            {found.results.length === 0 ? <p>{words.noWarnings}</p> : <Warnings key={node.id} warnings={found.results} most={4} named={false} />}
            <p class="notice">{found.notice}</p>
          </>
        )}
      </Shown>
    </section>
  );
}

function HerbFacts({ id }: { id: string }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const loaded = useResource<Herb>("herb", id);
  return (
    <Shown loaded={loaded}>
      {(herb) => {
        const names = [herb.names.th, herb.names.en, ...herb.names.others].filter(Boolean).join(", ");
        const facts: [string, ComponentChildren][] = [
          [words.names, names],
          [words.latin, <i key="latin">{herb.names.la || "–"}</i>],
          [words.parts, herb.parts.join(", ") || "–"],
          [words.uses, <Uses key="uses" herb={herb} language={language} />],
          [words.constituents, <Links key="constituents" type="constituent" items={herb.constituents} />],
          [words.inFormulas, <Links key="formulas" type="formulation" items={herb.formulations} />],
        ];
        return (
          <>
            <p class="row">
              <Review value={herb.review} note={herb.note} />
              {herb.note && <small>{herb.note}</small>}
            </p>
            <Facts facts={facts} />
            <Sources ids={[...herb.sources, ...herb.papers.map((pmid) => `pmid:${pmid}`)]} />
          </>
        );
      }}
    </Shown>
  );
}

function Uses({ herb, language }: { herb: Herb; language: "en" | "th" }) {
  return (
    <ul class="plain">
      {herb.indications.map((one) => (
        <li key={one.id}>
          <a href={to("herbs", ["indication", one.id])}>{(language === "en" && one.description_en) || one.description}</a> {one.icdCode && <code>{one.icdCode}</code>}{" "}
          {one.evidence_level && <small>{one.evidence_level}</small>}
        </li>
      ))}
    </ul>
  );
}

function Links({ type, items }: { type: string; items: { id: string; name: string }[] }) {
  if (items.length === 0) return <>–</>;
  return (
    <ul class="inline">
      {items.map((one) => (
        <li key={one.id}>
          <a href={to("herbs", [type, one.id])}>{one.name}</a>
        </li>
      ))}
    </ul>
  );
}

function NodeFacts({ node }: { node: GraphNode }) {
  const words = useWords(HERBS);
  const loaded = useResource<Stated>(node.type, node.id);
  return (
    <Shown loaded={loaded}>
      {(found) => (
        <>
          <p class="row">
            <Review value={found.review} note={found.note} />
            {found.note && <small>{found.note}</small>}
          </p>
          {found.names.length > 0 && <Facts facts={[[words.names, found.names.join(", ")]]} />}
          <h3>{words.statements}</h3>
          <ul class="plain">
            {found.statements.slice(0, SHOWN).map((one, at) => (
              <li key={at}>
                <span class="dim">{words[one.type]}</span> {one.label} <Strength value={one.strength} />
              </li>
            ))}
          </ul>
          <Sources ids={found.sources.map((source) => source.id)} />
        </>
      )}
    </Shown>
  );
}
