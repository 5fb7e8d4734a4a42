import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { day } from "../../format";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Dialog, Empty, Facts, Highlight, type Part, Shown, StackedBar, bestSentences } from "../../parts";
import { to } from "../../router";
import type { HerbAnswer, HerbHit, PaperAnswer, PaperHit } from "./answers";
import { SEARCH, type SearchWords } from "./words";

const HERB_PARTS = ["words", "meaning", "graph"] as const;
const PAPER_PARTS = ["words", "meaning", "section", "quality", "recency", "retraction"] as const;
const SENTENCES = 3;

function partsOf(names: readonly string[], values: Record<string, number>, words: SearchWords): Part[] {
  return names.map((name) => ({ name, title: words[`p_${name}` as keyof SearchWords], value: values[name] ?? 0 }));
}

export function HerbResults({ answer, marks }: { answer: HerbAnswer; marks: string[] }) {
  const words = useWords(SEARCH);
  const most = Math.max(1, ...answer.hits.map((hit) => hit.score));
  return (
    <>
      {answer.ambiguous.map((one) => (
        <p key={one.name} class="ambiguous">
          {words.ambiguous.replace("{name}", one.name)}{" "}
          {one.candidates.map((candidate) => (
            <a key={candidate.id} href={to("herbs", ["herb", candidate.id])}>
              {candidate.label}
            </a>
          ))}
        </p>
      ))}
      {answer.hits.length === 0 && <Empty title={words.nothing}>{words.nothingHint}</Empty>}
      <ol class="results">
        {answer.hits.map((hit) => (
          <HerbResult key={`${hit.type} ${hit.id}`} hit={hit} marks={marks} most={most} />
        ))}
      </ol>
    </>
  );
}

/** Where the graph shows what a hit is about: `kg://herb/curcuma-longa` is `#/herbs/herb/curcuma-longa`. */
function placeOf(hit: HerbHit): string {
  const [type = "herb", id = hit.about] = hit.uri.replace(/^kg:\/\//, "").split("/");
  if (hit.uri.startsWith("paper://")) return to("herbs", ["paper", hit.about]);
  return to("herbs", [type, decodeURIComponent(id)]);
}

function HerbResult({ hit, marks, most }: { hit: HerbHit; marks: string[]; most: number }) {
  const words = useWords(SEARCH);
  return (
    <li class="result">
      <div class="result-head">
        <h3>
          <a href={placeOf(hit)}>
            <Highlight text={hit.title} words={marks} />
          </a>
        </h3>
        <Badge tone="brand">{words[hit.type]}</Badge>
        <Badge>{words[hit.matched_lang]}</Badge>
      </div>
      <p class="passage">
        <Highlight text={hit.snippet} words={marks} />
      </p>
      <StackedBar parts={partsOf(HERB_PARTS, hit.score_parts, words)} total={hit.score} most={most} label={words.score} />
      {hit.source && (
        <small>
          {words.source} <code>{hit.source}</code>
        </small>
      )}
    </li>
  );
}

export function PaperResults({ answer, marks }: { answer: PaperAnswer; marks: string[] }) {
  const words = useWords(SEARCH);
  const [type, setType] = useState("");
  const [shown, setShown] = useState<string | null>(null);
  const counts = new Map<string, number>();
  for (const one of answer.documents) for (const name of one.pub_types) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = type && counts.has(type) ? answer.documents.filter((one) => one.pub_types.includes(type)) : answer.documents;
  const most = Math.max(1, ...answer.documents.map((one) => one.score));
  return (
    <>
      {counts.size > 1 && (
        <div class="facets" role="group" aria-label={words.study}>
          {[...counts].map(([name, count]) => (
            <button key={name} type="button" aria-pressed={name === type} onClick={() => setType(name === type ? "" : name)}>
              {name} <b>{count}</b>
            </button>
          ))}
        </div>
      )}
      {kept.length === 0 && <Empty title={words.nothing}>{words.nothingHint}</Empty>}
      <ol class="results">
        {kept.map((one) => (
          <PaperResult key={`${one.doc_id} ${one.chunk_id}`} hit={one} marks={marks} most={most} onOpen={setShown} />
        ))}
      </ol>
      {shown && <PaperDialog id={shown} marks={marks} onClose={() => setShown(null)} />}
    </>
  );
}

function PaperResult({ hit, marks, most, onOpen }: { hit: PaperHit; marks: string[]; most: number; onOpen(id: string): void }) {
  const words = useWords(SEARCH);
  const language = useLanguage();
  const about = [hit.journal, hit.year === null ? null : String(hit.year), hit.sample ? null : `PMID ${hit.pmid}`].filter(Boolean).join(" · ");
  return (
    <li class="result" lang="en">
      <div class="result-head">
        <h3>
          <button type="button" class="link" onClick={() => onOpen(hit.doc_id)}>
            <Highlight text={hit.title ?? hit.doc_id} words={marks} />
          </button>
        </h3>
      </div>
      <p class="row" lang={language}>
        <small>{about}</small>
        <Badge tone={hit.quality >= 6 ? "good" : hit.quality >= 3 ? "note" : "plain"}>{words.qualityOf.replace("{n}", String(hit.quality))}</Badge>
        {hit.sample && <Badge tone="note">{words.sample}</Badge>}
        {hit.retracted && <Badge tone="bad">{words.retracted}</Badge>}
      </p>
      {hit.abstract && (
        <p class="passage">
          <Highlight text={bestSentences(hit.abstract, marks, SENTENCES)} words={marks} />
        </p>
      )}
      <StackedBar parts={partsOf(PAPER_PARTS, hit.score_parts, words)} total={hit.score} most={most} label={words.score} />
    </li>
  );
}

interface Paper {
  doc_id: string;
  title: string | null;
  abstract: string | null;
  journal: string | null;
  pub_types: string[];
  pdat: string | null;
  edat: string | null;
  version: number;
  quality: { total: number };
}

function PaperDialog({ id, marks, onClose }: { id: string; marks: string[]; onClose(): void }) {
  const words = useWords(SEARCH);
  const language = useLanguage();
  const loaded = useLoaded((signal) => callTool<Paper>("rag.get", { doc_id: id }, { signal }).then((answer) => answer.data), [id]);
  const pmid = id.replace(/^pmid:/, "");
  return (
    <Dialog title={`${words.details} ${pmid}`} onClose={onClose} wide>
      <Shown loaded={loaded}>
        {(paper) => (
          <div class="stack" lang="en">
            <h3>{paper.title ?? id}</h3>
            <p class="passage whole">
              <Highlight text={paper.abstract ?? ""} words={marks} />
            </p>
            <div lang={language}>
              <Facts
                facts={[
                  [words.journal, paper.journal ?? "–"],
                  [words.study, paper.pub_types.join(", ") || "–"],
                  [words.published, paper.pdat ?? "–"],
                  [words.entered, paper.edat ? day(paper.edat, language) : "–"],
                  [words.p_quality, words.qualityOf.replace("{n}", String(paper.quality.total))],
                  [words.version, String(paper.version)],
                ]}
              />
            </div>
            {/^\d{1,8}$/.test(pmid) && (
              <a href={`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`} target="_blank" rel="noopener noreferrer" lang={language}>
                {words.onPubMed}
              </a>
            )}
          </div>
        )}
      </Shown>
    </Dialog>
  );
}
