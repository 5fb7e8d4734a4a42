// One search box for herbs and papers. The query is in the address, so that it can be bookmarked and shared.
import { useEffect, useState } from "preact/hooks";
import { callTool } from "../api";
import { formatDuration } from "../format";
import { useLanguage, useTexts } from "../language";
import { type Loaded, useLoaded } from "../loading";
import { Card, CheckField, Choices, Icon, AutocompleteField, PageHead, SelectField, LoadedView, TextField, splitWords } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { hasScope, useSession } from "../session";
import { type SearchQuery, type HerbAnswer, type PaperAnswer, herbArguments, paperArguments, toParams, parseQuery } from "./search/answers";
import { HerbResults, PaperResults } from "./search/results";
import { SEARCH } from "./search/texts";

const EXAMPLES = ["ขมิ้นชัน ท้องอืด", "andrographis common cold", "randomized trial weight loss"];

export default function Page({ params }: PageProps) {
  const texts = useTexts(SEARCH);
  const session = useSession();
  const query = parseQuery(params);
  const open = { herbs: hasScope(session, "herbs:read"), papers: hasScope(session, "papers:read") };
  const isSearched = (suite: "herbs" | "papers") => open[suite] && (query.where === "all" || query.where === suite) && query.q.trim() !== "";
  const marks = splitWords(query.q);
  const herbs = useSearch<HerbAnswer>("tool.hybrid_search", isSearched("herbs") ? herbArguments(query) : null);
  const papers = useSearch<PaperAnswer>("rag.search", isSearched("papers") ? paperArguments(query) : null);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <SearchForm query={query} />
      {query.q.trim() === "" ? (
        <div class="state">
          <p class="said">{texts.askFirst}</p>
          <p class="row tries">
            {texts.try}
            {EXAMPLES.map((example) => (
              <a key={example} class="button" href={buildHref("search", [], { q: example })}>
                {example}
              </a>
            ))}
          </p>
        </div>
      ) : (
        <div class={isSearched("herbs") && isSearched("papers") ? "halves" : "stack"}>
          {isSearched("herbs") && (
            <ResultCard title={texts.herbs} loaded={herbs}>
              {(answer) => <HerbResults answer={answer} marks={marks} />}
            </ResultCard>
          )}
          {isSearched("papers") && (
            <ResultCard title={texts.papers} loaded={papers}>
              {(answer) => <PaperResults answer={answer} marks={marks} />}
            </ResultCard>
          )}
        </div>
      )}
    </>
  );
}

type TimedAnswer<T> = { data: T; ms: number };

function useSearch<T>(tool: string, args: Record<string, unknown> | null): Loaded<TimedAnswer<T> | null> {
  return useLoaded<TimedAnswer<T> | null>(async (signal) => {
    if (args === null) return null;
    const answer = await callTool<T>(tool, args, { signal });
    return { data: answer.data, ms: answer.meta.duration_ms };
  }, [JSON.stringify(args)]);
}

function ResultCard<T>({ title, loaded, children }: { title: string; loaded: Loaded<TimedAnswer<T> | null>; children(answer: T): preact.ComponentChildren }) {
  const texts = useTexts(SEARCH);
  const language = useLanguage();
  const took = loaded.value && !loaded.busy ? texts.took.replace("{time}", formatDuration(loaded.value.ms, language)) : "";
  return (
    <Card title={title} aside={took}>
      <div class={loaded.busy && loaded.value ? "fading" : ""} aria-busy={loaded.busy}>
        <LoadedView loaded={loaded}>{(value) => value && children(value.data)}</LoadedView>
      </div>
    </Card>
  );
}

function SearchForm({ query }: { query: SearchQuery }) {
  const texts = useTexts(SEARCH);
  const [draft, setDraft] = useState(query);
  const serialized = JSON.stringify(query);
  useEffect(() => setDraft(JSON.parse(serialized) as SearchQuery), [serialized]);
  const put = (part: Partial<SearchQuery>) => setDraft({ ...draft, ...part });
  const now = (part: Partial<SearchQuery>) => navigate(buildHref("search", [], toParams({ ...draft, ...part })));
  const filtered = Object.keys(toParams({ ...query, q: "", where: "all" })).some((name) => toParams({ ...query, q: "", where: "all" })[name]);
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
        <input type="search" aria-label={texts.box} placeholder={texts.placeholder} value={draft.q} maxLength={2000} onInput={(event) => put({ q: event.currentTarget.value })} />
        <button type="submit" class="main">
          {texts.go}
        </button>
      </div>
      <div class="row">
        <Choices label={texts.where} value={draft.where} options={[["all", texts.all], ["herbs", texts.herbs], ["papers", texts.papers]]} onValue={(where) => now({ where })} />
      </div>
      <details open={filtered}>
        <summary>{texts.filters}</summary>
        <div class="filters">
          <SelectField label={texts.lang} value={draft.lang} onValue={(lang) => put({ lang })} options={[["auto", texts.auto], ["th", texts.th], ["en", texts.en]]} />
          <SelectField
            label={texts.kind}
            value={draft.kind}
            onValue={(kind) => put({ kind })}
            options={[["", texts.any], ["herb", texts.herb], ["formulation", texts.formulation], ["paper", texts.paper], ["chunk", texts.chunk]]}
          />
          <TextField label={texts.from} type="number" min={1800} max={2200} value={draft.from} onValue={(from) => put({ from })} />
          <TextField label={texts.to} type="number" min={1800} max={2200} value={draft.to} onValue={(until) => put({ to: until })} />
          <AutocompleteField label={texts.journal} completions={{ prompt: "news_on", argument: "journal" }} value={draft.journal} onValue={(journal) => put({ journal })} onChoose={(journal) => put({ journal })} />
          <SelectField label={texts.mode} value={draft.mode} onValue={(mode) => put({ mode })} options={[["hybrid", texts.hybrid], ["semantic", texts.semantic], ["bm25", texts.bm25]]} />
          <div class="field">
            <label for="alpha">
              {texts.alpha} <output class="figure">{Number(draft.alpha).toFixed(1)}</output>
            </label>
            <input id="alpha" type="range" min="0" max="1" step="0.1" value={draft.alpha} disabled={draft.mode !== "hybrid"} onInput={(event) => put({ alpha: event.currentTarget.value })} />
          </div>
          <CheckField label={texts.quality} checked={draft.quality} onValue={(quality) => put({ quality })} />
        </div>
        <div class="buttons">
          <button type="submit">{texts.go}</button>
          {filtered && (
            <a class="button" href={buildHref("search", [], { q: query.q })}>
              {texts.clear}
            </a>
          )}
        </div>
      </details>
    </form>
  );
}
