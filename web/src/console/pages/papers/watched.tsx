// Watched queries: listed for everybody who reads papers, changed by the owner.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../../api";
import { formatRelative } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useLoaded } from "../../loading";
import { Card, type Column, Empty, ErrorBox, LoadedView, SelectField, Table, TextField } from "../../parts";
import { hasScope, useSession } from "../../session";
import { PAPERS } from "./texts";

interface Watch {
  query: string;
  every_s: number;
  next_at: string;
  last_at: string | null;
  last_status: string | null;
}

const DAY_S = 86_400;

export function WatchedQueries() {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const session = useSession();
  const mayChange = hasScope(session, "*");
  const loaded = useLoaded((signal) => getJson<{ watches: Watch[] }>("/console/api/watches", { signal }).then((answer) => answer.watches), []);
  const [query, setQuery] = useState("");
  const [every, setEvery] = useState(String(DAY_S));
  const [error, setError] = useState<ApiError | null>(null);
  const change = async (watched: string, everyS: number | null) => {
    setError(null);
    try {
      await postJson("/console/api/watches", { query: watched, every_s: everyS });
      setQuery("");
      loaded.reload();
    } catch (caught) {
      setError(toApiError(caught));
    }
  };
  const spans: [string, string][] = [[String(DAY_S / 2), texts.hours], [String(DAY_S), texts.day], [String(DAY_S * 7), texts.week]];
  const nameSpan = (seconds: number) => spans.find(([value]) => Number(value) === seconds)?.[1] ?? `${seconds} s`;
  const columns: Column<Watch>[] = [
    { name: "query", title: texts.query, value: (watch) => watch.query, show: (watch) => <span lang="en">{watch.query}</span> },
    { name: "every_s", title: texts.every, value: (watch) => watch.every_s, show: (watch) => nameSpan(watch.every_s) },
    { name: "next_at", title: texts.next, value: (watch) => watch.next_at, show: (watch) => <span class="nowrap">{formatRelative(watch.next_at, language)}</span> },
    { name: "last_at", title: texts.last, value: (watch) => watch.last_at, show: (watch) => <span class="nowrap">{watch.last_at ? formatRelative(watch.last_at, language) : texts.never}</span> },
    { name: "last_status", title: texts.status, value: (watch) => watch.last_status, show: (watch) => watch.last_status ?? "–" },
  ];
  if (mayChange) {
    columns.push({
      name: "act",
      title: "",
      value: null,
      show: (watch) => (
        <button type="button" aria-label={`${texts.unwatch}: ${watch.query}`} onClick={() => void change(watch.query, null)}>
          {texts.unwatch}
        </button>
      ),
    });
  }
  return (
    <div class="stack">
      {mayChange && (
        <Card title={texts.watched}>
          <form
            class="stack tight-stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (query.trim()) void change(query.trim(), Number(every));
            }}
          >
            <p class="dim">{texts.watchLead}</p>
            <div class="watch-form">
              <TextField label={texts.query} value={query} onValue={setQuery} hint={texts.queryHint} maxLength={4096} required />
              <SelectField label={texts.every} value={every} onValue={setEvery} options={spans} />
              <button type="submit" class="main" disabled={!query.trim()}>
                {texts.watch}
              </button>
            </div>
          </form>
        </Card>
      )}
      {error && <ErrorBox error={error} />}
      <Card>
        <LoadedView loaded={loaded}>
          {(watches) => (watches.length ? <Table label={texts.watched} columns={columns} rows={watches} keyOf={(watch) => watch.query} file="watched-queries" /> : <Empty title={texts.watchNone}>{mayChange ? texts.watchNoneHint : undefined}</Empty>)}
        </LoadedView>
      </Card>
    </div>
  );
}
