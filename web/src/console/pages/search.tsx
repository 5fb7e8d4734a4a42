// One box over herbs and papers. The address keeps the question, so that it can be kept and sent on.
import { useEffect, useState } from "preact/hooks";
import { callTool } from "../api";
import { useWords } from "../language";
import { type Loaded, useLoaded } from "../loading";
import { Card, CheckField, Choices, Icon, OfferedField, PageHead, SelectField, Shown, TextField, wordsOf } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { may, useSession } from "../session";
import { type Asked, type HerbAnswer, type PaperAnswer, herbArguments, paperArguments, paramsOf, readAsked } from "./search/answers";
import { HerbResults, PaperResults } from "./search/results";
import { SEARCH } from "./search/words";

const TRIES = ["ขมิ้นชัน ท้องอืด", "andrographis common cold", "randomized trial weight loss"];

export default function Page({ params }: PageProps) {
  const words = useWords(SEARCH);
  const session = useSession();
  const asked = readAsked(params);
  const open = { herbs: may(session, "herbs:read"), papers: may(session, "papers:read") };
  const wanted = (suite: "herbs" | "papers") => open[suite] && (asked.where === "all" || asked.where === suite) && asked.q.trim() !== "";
  const marks = wordsOf(asked.q);
  const herbs = useFound<HerbAnswer>("tool.hybrid_search", wanted("herbs") ? herbArguments(asked) : null);
  const papers = useFound<PaperAnswer>("rag.search", wanted("papers") ? paperArguments(asked) : null);
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <SearchForm asked={asked} />
      {asked.q.trim() === "" ? (
        <div class="state">
          <p class="said">{words.askFirst}</p>
          <p class="row tries">
            {words.try}
            {TRIES.map((one) => (
              <a key={one} class="button" href={to("search", [], { q: one })}>
                {one}
              </a>
            ))}
          </p>
        </div>
      ) : (
        <div class={wanted("herbs") && wanted("papers") ? "halves" : "stack"}>
          {wanted("herbs") && (
            <Found title={words.herbs} loaded={herbs}>
              {(answer) => <HerbResults answer={answer} marks={marks} />}
            </Found>
          )}
          {wanted("papers") && (
            <Found title={words.papers} loaded={papers}>
              {(answer) => <PaperResults answer={answer} marks={marks} />}
            </Found>
          )}
        </div>
      )}
    </>
  );
}

type Timed<T> = { data: T; ms: number };

function useFound<T>(tool: string, args: Record<string, unknown> | null): Loaded<Timed<T> | null> {
  return useLoaded<Timed<T> | null>(async (signal) => {
    if (args === null) return null;
    const answer = await callTool<T>(tool, args, { signal });
    return { data: answer.data, ms: answer.meta.duration_ms };
  }, [JSON.stringify(args)]);
}

function Found<T>({ title, loaded, children }: { title: string; loaded: Loaded<Timed<T> | null>; children(answer: T): preact.ComponentChildren }) {
  const words = useWords(SEARCH);
  const took = loaded.value && !loaded.busy ? words.took.replace("{ms}", String(loaded.value.ms)) : "";
  return (
    <Card title={title} aside={took}>
      <div class={loaded.busy && loaded.value ? "fading" : ""} aria-busy={loaded.busy}>
        <Shown loaded={loaded}>{(value) => value && children(value.data)}</Shown>
      </div>
    </Card>
  );
}

function SearchForm({ asked }: { asked: Asked }) {
  const words = useWords(SEARCH);
  const [draft, setDraft] = useState(asked);
  const kept = JSON.stringify(asked);
  useEffect(() => setDraft(JSON.parse(kept) as Asked), [kept]);
  const put = (part: Partial<Asked>) => setDraft({ ...draft, ...part });
  const now = (part: Partial<Asked>) => go(to("search", [], paramsOf({ ...draft, ...part })));
  const filtered = Object.keys(paramsOf({ ...asked, q: "", where: "all" })).some((name) => paramsOf({ ...asked, q: "", where: "all" })[name]);
  return (
    <form
      class="search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        now({});
      }}
    >
      <div class="search-box">
        <Icon name="search" />
        <input type="search" aria-label={words.box} placeholder={words.placeholder} value={draft.q} maxLength={2000} onInput={(event) => put({ q: event.currentTarget.value })} />
        <button type="submit" class="main">
          {words.go}
        </button>
      </div>
      <div class="row">
        <Choices label={words.where} value={draft.where} options={[["all", words.all], ["herbs", words.herbs], ["papers", words.papers]]} onValue={(where) => now({ where })} />
      </div>
      <details open={filtered}>
        <summary>{words.filters}</summary>
        <div class="filters">
          <SelectField label={words.lang} value={draft.lang} onValue={(lang) => put({ lang })} options={[["auto", words.auto], ["th", words.th], ["en", words.en]]} />
          <SelectField
            label={words.kind}
            value={draft.kind}
            onValue={(kind) => put({ kind })}
            options={[["", words.any], ["herb", words.herb], ["formulation", words.formulation], ["paper", words.paper], ["chunk", words.chunk]]}
          />
          <TextField label={words.from} type="number" min={1800} max={2200} value={draft.from} onValue={(from) => put({ from })} />
          <TextField label={words.to} type="number" min={1800} max={2200} value={draft.to} onValue={(until) => put({ to: until })} />
          <OfferedField label={words.journal} offer={{ prompt: "news_on", argument: "journal" }} value={draft.journal} onValue={(journal) => put({ journal })} onChoose={(journal) => put({ journal })} />
          <SelectField label={words.mode} value={draft.mode} onValue={(mode) => put({ mode })} options={[["hybrid", words.hybrid], ["semantic", words.semantic], ["bm25", words.bm25]]} />
          <div class="field">
            <label for="alpha">
              {words.alpha} <output class="figure">{Number(draft.alpha).toFixed(1)}</output>
            </label>
            <input id="alpha" type="range" min="0" max="1" step="0.1" value={draft.alpha} disabled={draft.mode !== "hybrid"} onInput={(event) => put({ alpha: event.currentTarget.value })} />
          </div>
          <CheckField label={words.quality} checked={draft.quality} onValue={(quality) => put({ quality })} />
        </div>
        <div class="buttons">
          <button type="submit">{words.go}</button>
          {filtered && (
            <a class="button" href={to("search", [], { q: asked.q })}>
              {words.clear}
            </a>
          )}
        </div>
      </details>
    </form>
  );
}
