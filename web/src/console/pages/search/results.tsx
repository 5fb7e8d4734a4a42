import { useState } from "preact/hooks";
import { formatYear } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { Badge, Empty, Highlight, type Part, SaveRows, StackedBar, bestSentences } from "../../parts";
import { buildHref } from "../../router";
import { Reference } from "../herbs/badges";
import { type NameOf, type SourceReference, useLabels, useSources } from "../herbs/labels";
import type { HerbAnswer, HerbHit, PaperAnswer, PaperHit } from "./answers";
import { SEARCH, type SearchTexts } from "./texts";

const HERB_PARTS = ["words", "meaning", "graph"] as const;
const PAPER_PARTS = ["words", "meaning", "section", "quality", "recency", "retraction"] as const;
const SENTENCES = 3;

function partsOf(names: readonly string[], values: Record<string, number>, texts: SearchTexts): Part[] {
  return names.map((name) => ({ name, title: texts[`p_${name}` as keyof SearchTexts], value: values[name] ?? 0 }));
}

export function HerbResults({ answer, marks }: { answer: HerbAnswer; marks: string[] }) {
  const texts = useTexts(SEARCH);
  const most = Math.max(1, ...answer.hits.map((hit) => hit.score));
  const nameOf = useLabels(answer.hits.map((hit) => hit.about));
  const sources = useSources(answer.hits.map((hit) => hit.source).filter(Boolean));
  return (
    <>
      {answer.ambiguous.map((entry) => (
        <p key={entry.name} class="ambiguous">
          {texts.ambiguous.replace("{name}", entry.name)}{" "}
          {entry.candidates.map((candidate) => (
            <a key={candidate.id} href={buildHref("herbs", ["herb", candidate.id])}>
              {candidate.label}
            </a>
          ))}
        </p>
      ))}
      {answer.hits.length === 0 && <Empty title={texts.nothing}>{texts.nothingHint}</Empty>}
      <ol class="results">
        {answer.hits.map((hit) => (
          <HerbResult key={`${hit.type} ${hit.id}`} hit={hit} nameOf={nameOf} source={sources.get(hit.source)} marks={marks} most={most} />
        ))}
      </ol>
      {answer.hits.length > 0 && <SaveRows name="herbs" rows={() => answer.hits.map(({ id, type, title, snippet, score, source }) => ({ id, type, title, snippet, score, source }))} />}
    </>
  );
}

/** Links a hit to its node in the graph: `kg://herb/curcuma-longa` becomes `#/herbs/herb/curcuma-longa`. */
function hrefOf(hit: HerbHit): string {
  const [type = "herb", id = hit.about] = hit.uri.replace(/^kg:\/\//, "").split("/");
  if (hit.uri.startsWith("paper://")) return buildHref("herbs", ["paper", hit.about]);
  return buildHref("herbs", [type, decodeURIComponent(id)]);
}

interface HerbResultProps {
  hit: HerbHit;
  nameOf: NameOf;
  source: SourceReference | undefined;
  marks: string[];
  most: number;
}

function HerbResult({ hit, nameOf, source, marks, most }: HerbResultProps) {
  const texts = useTexts(SEARCH);
  const title = (hit.type === "herb" || hit.type === "formulation" ? nameOf(hit.about) : null) ?? hit.title;
  return (
    <li class="result">
      <div class="result-head">
        <h3>
          <a href={hrefOf(hit)}>
            <Highlight text={title} words={marks} />
          </a>
        </h3>
        <Badge tone="brand">{texts[hit.type]}</Badge>
        <Badge>{texts[hit.matched_lang]}</Badge>
      </div>
      <p class="passage" lang={hit.matched_lang}>
        <Highlight text={hit.snippet} words={marks} />
      </p>
      <StackedBar parts={partsOf(HERB_PARTS, hit.score_parts, texts)} total={hit.score} most={most} label={texts.score} />
      {hit.source && (
        <small>
          {texts.source} {source ? <Reference reference={source} /> : <code>{hit.source}</code>}
        </small>
      )}
    </li>
  );
}

export function PaperResults({ answer, marks }: { answer: PaperAnswer; marks: string[] }) {
  const texts = useTexts(SEARCH);
  const [type, setType] = useState("");
  const counts = new Map<string, number>();
  for (const hit of answer.documents) for (const name of hit.pub_types) counts.set(name, (counts.get(name) ?? 0) + 1);
  const filtered = type && counts.has(type) ? answer.documents.filter((hit) => hit.pub_types.includes(type)) : answer.documents;
  const most = Math.max(1, ...answer.documents.map((hit) => hit.score));
  return (
    <>
      {counts.size > 1 && (
        <div class="facets" role="group" aria-label={texts.study}>
          {[...counts].map(([name, count]) => (
            <button key={name} type="button" aria-pressed={name === type} onClick={() => setType(name === type ? "" : name)}>
              {name} <b>{count}</b>
            </button>
          ))}
        </div>
      )}
      {filtered.length === 0 && <Empty title={texts.nothing}>{texts.nothingHint}</Empty>}
      <ol class="results">
        {filtered.map((hit) => (
          <PaperResult key={`${hit.doc_id} ${hit.chunk_id}`} hit={hit} marks={marks} most={most} />
        ))}
      </ol>
      {filtered.length > 0 && <SaveRows name="papers" rows={() => filtered.map(({ pmid, title, journal, year, quality, retracted, score }) => ({ pmid, title, journal, year, quality, retracted, score }))} />}
    </>
  );
}

function PaperResult({ hit, marks, most }: { hit: PaperHit; marks: string[]; most: number }) {
  const texts = useTexts(SEARCH);
  const language = useLanguage();
  const about = [hit.journal, hit.year === null ? null : formatYear(hit.year, language), hit.sample ? null : `PMID ${hit.pmid}`].filter(Boolean).join(" · ");
  return (
    <li class="result" lang="en">
      <div class="result-head">
        <h3>
          <a href={buildHref("papers", [hit.pmid])}>
            <Highlight text={hit.title ?? hit.doc_id} words={marks} />
          </a>
        </h3>
      </div>
      <p class="row" lang={language}>
        <small>{about}</small>
        <Badge tone={hit.quality >= 6 ? "good" : hit.quality >= 3 ? "note" : "plain"}>{texts.qualityOf.replace("{n}", String(hit.quality))}</Badge>
        {hit.sample && <Badge tone="note">{texts.sample}</Badge>}
        {hit.retracted && <Badge tone="bad">{texts.retracted}</Badge>}
      </p>
      {hit.abstract && (
        <p class="passage">
          <Highlight text={bestSentences(hit.abstract, marks, SENTENCES)} words={marks} />
        </p>
      )}
      <StackedBar parts={partsOf(PAPER_PARTS, hit.score_parts, texts)} total={hit.score} most={most} label={texts.score} />
    </li>
  );
}
