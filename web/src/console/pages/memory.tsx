// What is remembered of something: in time, with ratings, contradictions and the way to correct it.
import { useEffect, useState } from "preact/hooks";
import { ApiError, callTool, getJson } from "../api";
import { useWords } from "../language";
import { asApiError, useLoaded } from "../loading";
import { Choices, Empty, ErrorBox, Icon, PageHead, SelectField, Shown, wordsOf } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { may, useSession } from "../session";
import { Contradictions } from "./memory/contradictions";
import { type Corrected, Correction, type Done } from "./memory/correction";
import { type Memory, type Recalled, momentOf } from "./memory/memories";
import { Sending } from "./memory/sending";
import { Axis, Timeline } from "./memory/timeline";
import { MEMORY } from "./memory/words";

export default function Page({ params }: PageProps) {
  const words = useWords(MEMORY);
  const query = params.get("q") ?? "";
  const least = params.get("least") ?? "F6";
  const session = useSession();
  const mayWrite = may(session, "memory:write");
  const [sending, setSending] = useState(false);
  const [fixing, setFixing] = useState<Memory | null>(null);
  const [done, setDone] = useState<Done[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const loaded = useLoaded(async (signal) => (query.trim() ? await recall(query, least, signal) : null), [query, least]);
  const undo = async (one: Done) => {
    const answer = (await callTool<Corrected>("correct_memory", { target_id: one.target, action: one.action, payload: { undo: one.undo } })).data;
    if (answer.status !== "applied") throw new ApiError(answer.message ?? answer.status, 0, answer.status);
    setDone((all) => all.filter((other) => other.undo !== one.undo));
    loaded.again();
  };
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {mayWrite && (
          <button type="button" class="main" onClick={() => setSending(true)}>
            {words.send}
          </button>
        )}
      </PageHead>
      <RecallForm query={query} least={least} />
      {error && <ErrorBox error={error} />}
      {done.length > 0 && <History done={done} onUndo={(one) => undo(one).catch((caught) => setError(asApiError(caught)))} />}
      {query.trim() === "" ? <Subjects /> : <Shown loaded={loaded}>{(found) => found && <Found recalled={found} query={query} onCorrect={mayWrite ? setFixing : null} />}</Shown>}
      {sending && <Sending onSent={loaded.again} onClose={() => setSending(false)} />}
      {fixing && (
        <Correction
          key={fixing.id}
          memory={fixing}
          others={loaded.value ? [...loaded.value.memories, ...loaded.value.contradictions.map((one) => one.contradicting_memory)] : []}
          onDone={(one) => {
            setDone((all) => [one, ...all]);
            loaded.again();
          }}
          onUndo={undo}
          onClose={() => setFixing(null)}
        />
      )}
    </>
  );
}

async function recall(query: string, least: string, signal: AbortSignal): Promise<Recalled> {
  const found = (await callTool<Recalled>("get_memory", { query, min_confidence: least, limit: 50 }, { signal })).data;
  if (found.status !== "ok") throw new ApiError(found.message ?? found.status, 400, found.status);
  return found;
}

function RecallForm({ query, least }: { query: string; least: string }) {
  const words = useWords(MEMORY);
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const options: [string, string][] = [["F6", words.anyRating], ["D4", "D4"], ["C3", "C3"], ["B3", "B3"], ["B2", "B2"], ["A1", "A1"]];
  const ask = (rating: string) => go(to("memory", [], { q: text, least: rating === "F6" ? null : rating }));
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
        <input type="search" aria-label={words.box} placeholder={words.placeholder} value={text} maxLength={10000} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="main">
          {words.go}
        </button>
      </div>
      <SelectField label={words.least} value={least} options={options} onValue={ask} />
    </form>
  );
}

/** Whom and what the caller's own memories speak of. */
function Subjects() {
  const words = useWords(MEMORY);
  const asked = new URLSearchParams({ prompt: "what_we_know", argument: "subject", value: "" });
  const loaded = useLoaded((signal) => getJson<{ values: string[] }>(`/console/api/complete?${asked}`, { signal }), []);
  const names = loaded.value?.values ?? [];
  return (
    <>
      <Empty title={words.ask} />
      {names.length > 0 && (
        <p class="row tries">
          {words.subjects}
          {names.map((name) => (
            <a key={name} class="button" href={to("memory", [], { q: name })}>
              {name}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

function History({ done, onUndo }: { done: Done[]; onUndo(done: Done): void }) {
  const words = useWords(MEMORY);
  return (
    <section class="history" aria-label={words.history}>
      <h2>{words.history}</h2>
      <ul>
        {done.map((one) => (
          <li key={one.undo} class="row">
            {words[one.action]} <code>{one.target}</code>
            <button type="button" onClick={() => onUndo(one)}>
              {words.undo}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Found({ recalled, query, onCorrect }: { recalled: Recalled; query: string; onCorrect: ((memory: Memory) => void) | null }) {
  const words = useWords(MEMORY);
  const [order, setOrder] = useState<"time" | "fit">("time");
  if (recalled.memories.length === 0) return <Empty title={words.empty} />;
  const time = (memory: Memory) => momentOf(memory)?.ms ?? Number.NEGATIVE_INFINITY;
  const shown = order === "fit" ? recalled.memories : [...recalled.memories].sort((one, other) => time(other) - time(one));
  const count = words.found.replace("{n}", String(recalled.memories.length)).replace("{total}", String(recalled.meta?.total_found ?? recalled.memories.length));
  return (
    <div class="stack">
      <Axis memories={recalled.memories} />
      <Contradictions recalled={recalled} onCorrect={onCorrect} />
      <div class="row between">
        <small>{count}</small>
        <Choices label={words.order} value={order} options={[["time", words.byTime], ["fit", words.byFit]]} onValue={setOrder} />
      </div>
      <Timeline memories={shown} marks={wordsOf(query)} onCorrect={onCorrect} />
    </div>
  );
}
