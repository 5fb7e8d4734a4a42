// A paper: abstract, full text, versions, related papers, what cites it here, and ways to cite it.
import { useState } from "preact/hooks";
import { type ApiError, callTool, getJson } from "../../api";
import { formatDay, formatYear } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useLoaded } from "../../loading";
import { Badge, Card, Choices, CodeBlock, ErrorBox, Facts, Icon, InlineCode, LoadedView, PageHead, Spinner } from "../../parts";
import { saveText } from "../../../save";
import { buildHref } from "../../router";
import { hasScope, useSession } from "../../session";
import { formatPublished } from "../papers";
import { PAPERS } from "./texts";

interface PaperRecord {
  doc_id: string;
  title: string | null;
  abstract: string | null;
  journal: string | null;
  pub_types: string[];
  pdat: string | null;
  edat: string | null;
  pmcid: string | null;
  quality: Record<string, number> & { total: number };
  version: number;
}

export function PaperPage({ id }: { id: string }) {
  const texts = useTexts(PAPERS);
  const docId = `pmid:${id.replace(/^pmid:/i, "")}`;
  const loaded = useLoaded((signal) => callTool<PaperRecord>("rag.get", { doc_id: docId }, { signal }).then((answer) => answer.data), [docId]);
  return (
    <>
      <a class="back" href={buildHref("papers")}>
        ‹ {texts.back}
      </a>
      {loaded.error && (
        <>
          <PageHead title={`PMID ${docId.slice(5)}`} />
          <ErrorBox error={loaded.error} onRetry={loaded.reload} />
        </>
      )}
      {!loaded.error && loaded.value === null && <Spinner />}
      {!loaded.error && loaded.value && <Record paper={loaded.value} />}
    </>
  );
}

interface Holding {
  versions: { version: number; is_current: boolean; revised: string | null; checkpoints: string[] }[];
  has_full_text: boolean;
  in_graph: boolean;
}

function Record({ paper }: { paper: PaperRecord }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const pmid = paper.doc_id.slice(5);
  const holding = useLoaded((signal) => getJson<Holding>(`/console/api/paper?pmid=${pmid}`, { signal }), [pmid]);
  const isReal = /^[1-9]\d{0,7}$/.test(pmid);
  const isRetracted = paper.pub_types.includes("Retracted Publication");
  const lead = [paper.journal, formatPublished(paper.pdat, language), `PMID ${pmid}`].filter(Boolean).join(" · ");
  return (
    <>
      <PageHead title={paper.title ?? paper.doc_id} lead={lead}>
        {isRetracted && <Badge tone="bad">{texts.retracted}</Badge>}
      </PageHead>
      <div class="paper-columns">
        <div class="stack">
          <Card title={texts.abstract}>
            {paper.abstract ? (
              <div class="abstract" lang="en">
                {splitAbstract(paper.abstract).map((part, at) => (
                  <p key={at}>
                    {part.label && <strong>{part.label}</strong>} {part.text}
                  </p>
                ))}
              </div>
            ) : (
              <p class="dim">{texts.noAbstract}</p>
            )}
          </Card>
          {holding.value &&
            (holding.value.has_full_text ? (
              <FullText docId={paper.doc_id} />
            ) : (
              <Card title={texts.fullText}>
                <p class="dim">
                  <InlineCode text={texts.noFullText} />
                </p>
              </Card>
            ))}
          <Related docId={paper.doc_id} />
        </div>
        <div class="stack">
          <Cite docId={paper.doc_id} pmid={pmid} />
          <Card title={texts.about}>
            <Facts
              facts={[
                [texts.journal, <span lang="en">{paper.journal ?? "–"}</span>],
                [texts.published, formatPublished(paper.pdat, language)],
                [texts.entered, paper.edat ? formatDay(paper.edat, language) : "–"],
                [texts.study, <span lang="en">{paper.pub_types.join(", ") || "–"}</span>],
                [texts.quality, <Quality quality={paper.quality} />],
                ["PMID", <code>{pmid}</code>],
              ]}
            />
            {isReal && (
              <p class="row paper-links">
                <a class="button" href={`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`} target="_blank" rel="noopener noreferrer">
                  {texts.onPubMed}
                </a>
                {paper.pmcid && /^PMC\d+$/.test(paper.pmcid) && (
                  <a class="button" href={`https://pmc.ncbi.nlm.nih.gov/articles/${paper.pmcid}/`} target="_blank" rel="noopener noreferrer">
                    {texts.onPmc}
                  </a>
                )}
              </p>
            )}
          </Card>
          {holding.error && <ErrorBox error={holding.error} onRetry={holding.reload} />}
          {holding.value && <CitedHere docId={paper.doc_id} inGraph={holding.value.in_graph} />}
          {holding.value && <Versions versions={holding.value.versions} />}
        </div>
      </div>
    </>
  );
}

/** Parts an abstract at its own labels, such as `RESULTS:`. */
function splitAbstract(abstract: string): { label: string; text: string }[] {
  return abstract.split("\n").filter(Boolean).map((line) => {
    const match = /^([A-Z][A-Z ,&/()-]{2,60}:)\s*(.*)$/.exec(line);
    return { label: match?.[1] ?? "", text: match?.[2] ?? line };
  });
}

function Quality({ quality }: { quality: PaperRecord["quality"] }) {
  const texts = useTexts(PAPERS);
  const parts = (["design", "recency", "journal", "human"] as const).filter((name) => quality[name] !== undefined);
  return (
    <>
      <Badge tone={quality.total >= 6 ? "good" : quality.total >= 3 ? "note" : "plain"}>{texts.of(quality.total)}</Badge>
      <small class="quality-parts">{parts.map((name) => `${texts.parts[name]} ${quality[name]}`).join(" · ")}</small>
    </>
  );
}

const STYLES = ["vancouver", "apa", "bibtex", "ris", "csl-json"] as const;
const FILES: { [style in (typeof STYLES)[number]]: string } = { vancouver: "txt", apa: "txt", bibtex: "bib", ris: "ris", "csl-json": "json" };

function Cite({ docId, pmid }: { docId: string; pmid: string }) {
  const texts = useTexts(PAPERS);
  const [style, setStyle] = useState<(typeof STYLES)[number]>("vancouver");
  const loaded = useLoaded((signal) => callTool<{ text: string }>("papers.cite", { doc_ids: [docId], format: style }, { signal }).then((answer) => answer.data.text), [docId, style]);
  return (
    <Card title={texts.cite}>
      <div class="stack tight-stack">
        <Choices label={texts.style} value={style} options={STYLES.map((name) => [name, { vancouver: "Vancouver", apa: "APA", bibtex: "BibTeX", ris: "RIS", "csl-json": "CSL" }[name]])} onValue={setStyle} />
        <LoadedView loaded={loaded}>
          {(text) => (
            <>
              <CodeBlock text={text.trim()} label={texts.cite} wrap />
              <button type="button" class="save-citation" onClick={() => saveText(`pmid-${pmid}.${FILES[style]}`, "text/plain;charset=utf-8", text)}>
                <Icon name="download" /> {`pmid-${pmid}.${FILES[style]}`}
              </button>
            </>
          )}
        </LoadedView>
      </div>
    </Card>
  );
}

interface FullTextPart {
  licence: string;
  licence_url: string | null;
  total_paragraphs: number;
  paragraphs: { paragraph: number; section: string; headings: string[]; kind: string; text: string }[];
  next_paragraph: number | null;
}

function FullText({ docId }: { docId: string }) {
  const texts = useTexts(PAPERS);
  const [parts, setParts] = useState<FullTextPart[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const read = (from: number, signal?: AbortSignal) => callTool<FullTextPart>("papers.fulltext.get", { doc_id: docId, from_paragraph: from }, { signal }).then((answer) => answer.data);
  const first = useLoaded((signal) => read(1, signal), [docId]);
  const more = async (from: number) => {
    setBusy(true);
    setError(null);
    try {
      const next = await read(from);
      setParts((before) => [...before, next]);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  if (first.error) return <ErrorBox error={first.error} onRetry={first.reload} />;
  if (first.busy && !first.value) return null;
  if (!first.value) return null;
  const all = [first.value, ...parts];
  const next = all[all.length - 1]?.next_paragraph ?? null;
  let heading = "";
  return (
    <Card title={texts.fullText} aside={<Licence name={first.value.licence} url={first.value.licence_url} />}>
      <div class="abstract full-text" lang="en">
        {all.flatMap((part) =>
          part.paragraphs.map((paragraph) => {
            const head = paragraph.headings[paragraph.headings.length - 1] ?? "";
            const isNew = head !== heading;
            heading = head;
            return (
              <div key={paragraph.paragraph} id={`p${paragraph.paragraph}`}>
                {isNew && head && <h3>{head}</h3>}
                <div class="numbered">
                  <small>{paragraph.paragraph}</small>
                  <p class={paragraph.kind === "text" ? "" : "caption"}>{paragraph.text}</p>
                </div>
              </div>
            );
          }),
        )}
      </div>
      {error && <ErrorBox error={error} />}
      {next !== null && (
        <button type="button" disabled={busy} onClick={() => void more(next)}>
          {texts.more} ({next}/{first.value.total_paragraphs})
        </button>
      )}
    </Card>
  );
}

function Licence({ name, url }: { name: string; url: string | null }) {
  const texts = useTexts(PAPERS);
  const isAddress = url !== null && /^https?:\/\//.test(url);
  return (
    <>
      {texts.licence}:{" "}
      {isAddress ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ) : (
        name
      )}
    </>
  );
}

interface Relation {
  kind: string;
  values: string[];
  score: number;
}

/** Say why a paper is related. The values of a link name its kind; those of headings are headings. */
function describeRelation(relation: Relation, texts: { kinds: Record<string, string>; links: Record<string, string> }): string {
  const kind = texts.kinds[relation.kind] ?? relation.kind;
  if (relation.kind === "link") {
    return relation.values.map((value) => texts.links[value] ?? value.replaceAll("_", " ")).join(", ") || kind;
  }
  return [kind, relation.values.slice(0, 4).join(", ")].filter(Boolean).join(": ");
}

interface RelatedPaper {
  doc_id: string;
  title: string | null;
  journal: string | null;
  year: number | null;
  retracted: boolean;
  relations: Relation[];
}

function Related({ docId }: { docId: string }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => callTool<{ documents: RelatedPaper[] }>("papers.related", { doc_id: docId, limit: 8 }, { signal }).then((answer) => answer.data.documents), [docId]);
  return (
    <Card title={texts.related}>
      <LoadedView loaded={loaded}>
        {(papers) =>
          papers.length === 0 ? (
            <p class="dim">{texts.relatedNone}</p>
          ) : (
            <ul class="related">
              {papers.map((paper) => (
                <li key={paper.doc_id}>
                  <a href={buildHref("papers", [paper.doc_id.slice(5)])} lang="en">
                    {paper.title ?? paper.doc_id}
                  </a>
                  <small>
                    {[paper.journal, paper.year === null ? null : formatYear(paper.year, language)].filter(Boolean).join(" · ")}
                    {paper.retracted && <Badge tone="bad">{texts.retracted}</Badge>}
                  </small>
                  <small>
                    {paper.relations.map((relation) => describeRelation(relation, texts)).join(" · ")}
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Card>
  );
}

interface Node {
  id: string;
  type: string;
  label: string;
  label_en: string | null;
}

interface Citing {
  nodes: Node[];
  memories: { id: string; summary: string }[];
}

/** Looks for the paper in the herb graph and among the sources of memories, where the caller may read them. */
function CitedHere({ docId, inGraph }: { docId: string; inGraph: boolean }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const session = useSession();
  const loaded = useLoaded<Citing>(
    async (signal) => {
      const [nodes, memories] = await Promise.all([
        inGraph ? findNodes(docId, signal) : [],
        hasScope(session, "memory:read") ? findMemories(docId, signal) : [],
      ]);
      return { nodes, memories };
    },
    [docId],
  );
  return (
    <Card title={texts.cited}>
      <LoadedView loaded={loaded}>
        {({ nodes, memories }) =>
          nodes.length + memories.length === 0 ? (
            <p class="dim">{texts.citedNone}</p>
          ) : (
            <div class="stack tight-stack">
              {nodes.length > 0 && (
                <ul class="chips cited" aria-label={texts.citedHerbs}>
                  {nodes.map((node) => (
                    <li key={node.id}>
                      <a class="button" href={buildHref("herbs", [node.type, node.id])}>
                        <i class={`dot n-${node.type}`} /> {(language === "en" ? node.label_en : null) ?? node.label}
                      </a>
                    </li>
                  ))}
                </ul>
              )}
              {memories.length > 0 && (
                <ul class="related" aria-label={texts.citedMemories}>
                  {memories.map((memory) => (
                    <li key={memory.id}>
                      <a href={buildHref("memory", [memory.id])}>{memory.summary}</a>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )
        }
      </LoadedView>
    </Card>
  );
}

async function findNodes(docId: string, signal: AbortSignal): Promise<Node[]> {
  const { data } = await callTool<{ paths: Node[][] }>("tool.query_kg", { start: { type: "paper", id: docId }, max_depth: 1, limit: 50 }, { signal });
  const found = new Map(data.paths.flat().filter((node) => node.id !== docId).map((node) => [node.id, node]));
  return [...found.values()];
}

async function findMemories(docId: string, signal: AbortSignal): Promise<{ id: string; summary: string }[]> {
  const sources = [docId, docId.slice(5)];
  const answers = await Promise.all(sources.map((source) => callTool<{ memories: { id: string; summary: string }[] }>("list_memories", { source, limit: 20 }, { signal })));
  return answers.flatMap((answer) => answer.data.memories ?? []);
}

function Versions({ versions }: { versions: Holding["versions"] }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  return (
    <Card title={texts.versions}>
      <ul class="version-list">
        {versions.map((version) => (
          <li key={version.version}>
            <Badge tone={version.is_current ? "brand" : "plain"}>
              {texts.version} {version.version}
            </Badge>{" "}
            <small>
              {[version.is_current && texts.versionNow, version.revised && `${texts.asOf} ${formatDay(version.revised, language)}`, version.checkpoints.join(", ")].filter(Boolean).join(" · ")}
            </small>
          </li>
        ))}
      </ul>
      {versions.every((version) => version.is_current) && <p class="hint">{texts.checkpointsNone}</p>}
    </Card>
  );
}
