// Details of a node: herbs have their own resource, other nodes a generic one.
import type { ComponentChildren } from "preact";
import { callTool, getJson } from "../../api";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Facts, LoadedView } from "../../parts";
import { buildHref } from "../../router";
import { type GraphNode, labelOf } from "./graph";
import { NamedSources, References, Review, Strength } from "./badges";
import { LabelsContext, type NameOf, type SourceReference, useLabels } from "./labels";
import { type SafetyAnswer, Warnings, listMentioned } from "./warnings";
import { HERBS, type HerbTexts, PLANT_PARTS } from "./texts";

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

interface NodeRecord {
  names: string[];
  statements: { type: keyof HerbTexts; outward: boolean; other: string; label: string; strength: string | null; review: string; sources: string[] }[];
  sources: SourceReference[];
  review: string;
  note: string | null;
}

const SHOWN = 12;

export function NodeCard({ node }: { node: GraphNode }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const warned = node.type === "herb" || node.type === "formulation";
  return (
    <div class="node-card">
      <div class="row">
        <h2>{labelOf(node, language)}</h2>
        <Badge tone="brand">{texts[node.type]}</Badge>
      </div>
      {warned && <NodeWarnings node={node} />}
      {node.type === "herb" ? <HerbFacts id={node.id} /> : <NodeFacts node={node} />}
    </div>
  );
}

function useResource<T>(type: string, id: string) {
  const uri = `kg://${type}/${encodeURIComponent(id)}`;
  return useLoaded((signal) => getJson<{ data: T }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((resource) => resource.data), [uri]);
}

function NodeWarnings({ node }: { node: GraphNode }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const args = { [node.type === "herb" ? "herb_ids" : "formulation_ids"]: [node.id], lang: language, limit: 500 };
  const loaded = useLoaded((signal) => callTool<SafetyAnswer>("tool.find_contraindications", args, { signal }).then((answer) => answer.data), [node.id, language]);
  return (
    <section class="warned" aria-label={texts.warnings}>
      <LoadedView loaded={loaded}>
        {(answer) => (
          <>
            <div class="row">
              <h3>
                {texts.warnings} ({answer.total})
              </h3>
              <a href={buildHref("herbs", ["safety"], { [node.type === "herb" ? "herbs" : "formulations"]: node.id })}>{texts.safety}</a>
            </div>
            {answer.results.length === 0 ? <p>{texts.noWarnings}</p> : <NamedWarnings key={node.id} answer={answer} />}
            <p class="notice">{answer.notice}</p>
          </>
        )}
      </LoadedView>
    </section>
  );
}

function NamedWarnings({ answer }: { answer: SafetyAnswer }) {
  const nameOf = useLabels(listMentioned(answer.results));
  return (
    <LabelsContext.Provider value={nameOf}>
      <Warnings answer={answer} warnings={answer.results} most={4} />
    </LabelsContext.Provider>
  );
}

function HerbFacts({ id }: { id: string }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const partNames = useTexts(PLANT_PARTS);
  const loaded = useResource<Herb>("herb", id);
  const nameOf = useLabels([...(loaded.value?.constituents ?? []), ...(loaded.value?.formulations ?? [])].map((item) => item.id));
  return (
    <LoadedView loaded={loaded}>
      {(herb) => {
        const names = [herb.names.th, herb.names.en, ...herb.names.others].filter(Boolean).join(", ");
        const facts: [string, ComponentChildren][] = [
          [texts.names, names],
          [texts.latin, <i key="latin">{herb.names.la || "–"}</i>],
          [texts.parts, herb.parts.map((part) => partNames[part] ?? part).join(", ") || "–"],
          [texts.uses, <Uses key="uses" herb={herb} language={language} />],
          [texts.constituents, <Links key="constituents" type="constituent" items={herb.constituents} nameOf={nameOf} />],
          [texts.inFormulas, <Links key="formulas" type="formulation" items={herb.formulations} nameOf={nameOf} />],
        ];
        return (
          <>
            <p class="row">
              <Review value={herb.review} note={herb.note} />
              {herb.note && <small>{herb.note}</small>}
            </p>
            <Facts facts={facts} />
            <NamedSources ids={[...herb.sources, ...herb.papers.map((pmid) => `pmid:${pmid}`)]} />
          </>
        );
      }}
    </LoadedView>
  );
}

function Uses({ herb, language }: { herb: Herb; language: "en" | "th" }) {
  return (
    <ul class="plain">
      {herb.indications.map((indication) => (
        <li key={indication.id}>
          <a href={buildHref("herbs", ["indication", indication.id])}>{(language === "en" && indication.description_en) || indication.description}</a> {indication.icdCode && <code>{indication.icdCode}</code>}{" "}
          {indication.evidence_level && <small>{indication.evidence_level}</small>}
        </li>
      ))}
    </ul>
  );
}

function Links({ type, items, nameOf }: { type: string; items: { id: string; name: string }[]; nameOf: NameOf }) {
  if (items.length === 0) return <>–</>;
  return (
    <ul class="inline">
      {items.map((item) => (
        <li key={item.id}>
          <a href={buildHref("herbs", [item.id.startsWith("drug:") ? "drug" : type, item.id])}>{nameOf(item.id) ?? item.name}</a>
        </li>
      ))}
    </ul>
  );
}

function NodeFacts({ node }: { node: GraphNode }) {
  const texts = useTexts(HERBS);
  const loaded = useResource<NodeRecord>(node.type, node.id);
  return (
    <LoadedView loaded={loaded}>
      {(record) => (
        <>
          <p class="row">
            <Review value={record.review} note={record.note} />
            {record.note && <small>{record.note}</small>}
          </p>
          {record.names.length > 0 && <Facts facts={[[texts.names, record.names.join(", ")]]} />}
          <h3>{texts.statements}</h3>
          <ul class="plain">
            {record.statements.slice(0, SHOWN).map((statement, at) => (
              <li key={at}>
                <span class="dim">{texts[statement.type]}</span> {statement.label} <Strength value={statement.strength} />
              </li>
            ))}
          </ul>
          <References ids={record.sources.map((source) => source.id)} references={new Map(record.sources.map((source) => [source.id, source]))} />
        </>
      )}
    </LoadedView>
  );
}
