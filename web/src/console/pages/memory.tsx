// Memories on a subject: timeline, ratings, contradictions and corrections.
import { useEffect, useState } from "preact/hooks";
import { ApiError, callTool, getJson } from "../api";
import { formatCount, formatRelative } from "../format";
import { useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Card, Choices, Empty, Icon, PageHead, SaveRows, SelectField, LoadedView, splitWords } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { hasScope, useSession } from "../session";
import { ContradictionListPage, loadContradictions } from "./memory/contradiction_list";
import { Contradictions } from "./memory/contradictions";
import { useCorrections } from "./memory/corrections";
import { type Memory, type RecallAnswer, isName, shortenText, timeOf } from "./memory/memories";
import { AddMemory } from "./memory/add_memory";
import { EntityGraphPage } from "./memory/entity_graph";
import { Rating } from "./memory/rating";
import { ReplacedBy } from "./memory/replacements";
import { Axis, Timeline } from "./memory/timeline";
import { MEMORY } from "./memory/texts";

/** `#/memory?q=…`, `#/memory/graph`, `#/memory/contradictions`, or one memory: `#/memory/mem_…`. */
export default function Page({ path, params }: PageProps) {
  const [id] = path;
  if (id === "graph") return <EntityGraphPage />;
  if (id === "contradictions") return <ContradictionListPage params={params} />;
  if (id) return <OneMemory key={id} id={id} />;
  return <Memories params={params} />;
}

function Memories({ params }: { params: URLSearchParams }) {
  const texts = useTexts(MEMORY);
  const query = params.get("q") ?? "";
  const least = params.get("least") ?? "F6";
  const session = useSession();
  const mayWrite = hasScope(session, "memory:write");
  const [sending, setSending] = useState(false);
  const loaded = useLoaded(async (signal) => (query.trim() ? await recall(query, least, signal) : null), [query, least]);
  const corrections = useCorrections(loaded.reload);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <a class="button" href={buildHref("memory", ["contradictions"])}>
          {texts.contradictions}
        </a>
        <a class="button" href={buildHref("memory", ["graph"])}>
          {texts.graph}
        </a>
        {mayWrite && (
          <button type="button" class="main" onClick={() => setSending(true)}>
            {texts.send}
          </button>
        )}
      </PageHead>
      <RecallForm query={query} least={least} />
      {corrections.history}
      {query.trim() === "" ? <Overview /> : <LoadedView loaded={loaded}>{(answer) => answer && <RecallResults recalled={answer} query={query} onCorrect={corrections.onCorrect} />}</LoadedView>}
      {sending && <AddMemory onSent={loaded.reload} onClose={() => setSending(false)} />}
      {corrections.dialog(loaded.value ? [...loaded.value.memories, ...loaded.value.contradictions.map((contradiction) => contradiction.contradicting_memory)] : [])}
    </>
  );
}

function OneMemory({ id }: { id: string }) {
  const texts = useTexts(MEMORY);
  const uri = `memory://${encodeURIComponent(id)}`;
  const loaded = useLoaded((signal) => getJson<{ data: SummarizedMemory }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((answer) => answer.data), [id]);
  const corrections = useCorrections(loaded.reload);
  return (
    <>
      <a class="back" href={buildHref("memory")}>
        ‹ {texts.title}
      </a>
      <PageHead title={loaded.value ? shortenText(loaded.value.content) : id} />
      <div class="stack">
        {corrections.history}
        <LoadedView loaded={loaded}>
          {(memory) => (
            <>
              <ReplacedBy memory={memory} summaries={memory.summaries} />
              <Timeline memories={[{ ...memory, score: null }]} marks={[]} onCorrect={corrections.onCorrect} />
            </>
          )}
        </LoadedView>
      </div>
      {corrections.dialog([])}
    </>
  );
}

interface SummarizedMemory extends Memory {
  summaries: Record<string, string>;
}

async function recall(query: string, least: string, signal: AbortSignal): Promise<RecallAnswer> {
  const answer = (await callTool<RecallAnswer>("get_memory", { query, min_confidence: least, limit: 50 }, { signal })).data;
  if (answer.status !== "ok") throw new ApiError(answer.message ?? answer.status, 400, answer.status);
  return answer;
}

function RecallForm({ query, least }: { query: string; least: string }) {
  const texts = useTexts(MEMORY);
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const options: [string, string][] = [["F6", texts.anyRating], ["D4", "D4"], ["C3", "C3"], ["B3", "B3"], ["B2", "B2"], ["A1", "A1"]];
  const ask = (rating: string) => navigate(buildHref("memory", [], { q: text, least: rating === "F6" ? null : rating }));
  return (
    <form
      class="search-form recall"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(least);
      }}
    >
      <div class="search-box">
        <Icon name="memory" />
        <input type="search" aria-label={texts.box} placeholder={texts.placeholder} value={text} maxLength={10000} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="main">
          {texts.go}
        </button>
      </div>
      <SelectField label={texts.least} value={least} options={options} onValue={ask} />
    </form>
  );
}

interface ListedMemory {
  id: string;
  type: string;
  summary: string;
  confidence: string | null;
  created_at: string | null;
}

const NEWEST = 10;

/** What stands here before anything is asked: the subjects, and what was remembered last. */
function Overview() {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const loaded = useLoaded((signal) => callTool<{ memories: ListedMemory[] }>("list_memories", { limit: NEWEST }, { signal }).then((answer) => answer.data.memories), []);
  return (
    <div class="stack">
      <LoadedView loaded={loaded}>
        {(memories) =>
          memories.length === 0 ? (
            <Empty title={texts.noneYet}>{texts.noneYetHint}</Empty>
          ) : (
            <>
              <OpenContradictions />
              <Subjects />
              <Card title={texts.newest}>
                <ul class="newest">
                  {memories.map((memory) => (
                    <li key={memory.id}>
                      <Rating value={memory.confidence} />
                      <a href={buildHref("memory", [memory.id])}>{memory.summary}</a>
                      {memory.created_at && <small>{formatRelative(memory.created_at, language)}</small>}
                    </li>
                  ))}
                </ul>
              </Card>
            </>
          )
        }
      </LoadedView>
    </div>
  );
}

/** Says how many contradictions wait for a correction; nothing if there are none, or while that is not known. */
function OpenContradictions() {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const open = useLoaded((signal) => loadContradictions("open", 1, signal), []).value?.open ?? 0;
  if (open === 0) return null;
  return (
    <p class="notice loud">
      <a href={buildHref("memory", ["contradictions"])}>{texts.openCount.replace("{n}", formatCount(open, language))}</a>
    </p>
  );
}

/** The subjects of the caller's own memories. */
function Subjects() {
  const texts = useTexts(MEMORY);
  const params = new URLSearchParams({ prompt: "what_we_know", argument: "subject", value: "" });
  const loaded = useLoaded((signal) => getJson<{ values: string[] }>(`/console/api/complete?${params}`, { signal }), []);
  const names = (loaded.value?.values ?? []).filter(isName);
  return (
    <>
      {names.length > 0 && (
        <p class="row subjects">
          {texts.subjects}
          {names.map((name) => (
            <a key={name} class="button" href={buildHref("memory", [], { q: name })}>
              {name}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

// Below this share of the best score a memory is found by a passing likeness; it stays one click away.
const NEAR_SHARE = 0.35;

function splitByFit(memories: Memory[]): { near: Memory[]; further: Memory[] } {
  const best = Math.max(0, ...memories.map((memory) => memory.score ?? 0));
  const isNear = (memory: Memory) => memory.score === null || memory.score >= best * NEAR_SHARE;
  return { near: memories.filter(isNear), further: memories.filter((memory) => !isNear(memory)) };
}

function RecallResults({ recalled, query, onCorrect }: { recalled: RecallAnswer; query: string; onCorrect: ((memory: Memory) => void) | null }) {
  const texts = useTexts(MEMORY);
  const [order, setOrder] = useState<"time" | "fit">("time");
  if (recalled.memories.length === 0) return <Empty title={texts.empty} />;
  const time = (memory: Memory) => timeOf(memory)?.ms ?? Number.NEGATIVE_INFINITY;
  const { near, further } = splitByFit(recalled.memories);
  const arrange = (memories: Memory[]) => (order === "fit" ? memories : [...memories].sort((a, b) => time(b) - time(a)));
  const sorted = arrange(near);
  const shown = new Set(near.map((memory) => memory.id));
  const disputed = { ...recalled, contradictions: recalled.contradictions.filter((found) => shown.has(found.memory_id) || shown.has(found.contradicting_memory.id)) };
  const count = texts.found.replace("{n}", String(near.length)).replace("{total}", String(recalled.meta?.total_found ?? recalled.memories.length));
  return (
    <div class="stack">
      <Axis memories={near} />
      <Contradictions recalled={disputed} onCorrect={onCorrect} />
      <div class="row between">
        <small>{count}</small>
        <div class="row">
          <SaveRows name="memories" rows={() => [...sorted, ...arrange(further)].map((memory) => ({ id: memory.id, content: memory.content, rating: memory.confidence, type: memory.type, time: timeOf(memory)?.text ?? null, sources: memory.sources.map((source) => source.ref).join("; ") }))} />
          <Choices label={texts.order} value={order} options={[["time", texts.byTime], ["fit", texts.byFit]]} onValue={setOrder} />
        </div>
      </div>
      <Timeline memories={sorted} marks={splitWords(query)} onCorrect={onCorrect} />
      {further.length > 0 && (
        <details class="further">
          <summary>{texts.further.replace("{n}", String(further.length))}</summary>
          <Timeline memories={arrange(further)} marks={splitWords(query)} onCorrect={onCorrect} />
        </details>
      )}
    </div>
  );
}
