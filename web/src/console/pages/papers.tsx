// Papers: the corpus at a glance and watched queries, or one paper. `#/papers`, `#/papers/watched`, `#/papers/27797938`.
import { useState } from "preact/hooks";
import { getJson } from "../api";
import { formatCount, formatKnown, formatYear } from "../format";
import { useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Badge, Card, Choices, type Column, Empty, Icon, LoadedView, PageHead, Table } from "../parts";
import { Chart } from "../parts/chart";
import { RankedBars } from "../parts/ranked_bars";
import { buildHref, navigate } from "../router";
import type { PageProps } from "../routes";
import { hasScope, useSession } from "../session";
import { PaperPage } from "./papers/paper";
import { PAPERS } from "./papers/texts";
import { WatchedQueries } from "./papers/watched";

interface CorpusFigures {
  years: { year: number; papers: number }[];
  kinds: { kind: string; papers: number }[];
  newest: NewPaper[];
}

interface NewPaper {
  pmid: string;
  entered: string | null;
  sample: boolean;
  title: string | null;
  journal: string | null;
  published: string | null;
}

export default function Papers({ path }: PageProps) {
  const texts = useTexts(PAPERS);
  const [id] = path;
  if (id && id !== "watched") return <PaperPage key={id} id={id} />;
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <Choices
          label={texts.view}
          value={id === "watched" ? "watched" : "find"}
          options={[["find", texts.find], ["watched", texts.watched]]}
          onValue={(view) => navigate(buildHref("papers", view === "watched" ? ["watched"] : []))}
        />
      </PageHead>
      {id === "watched" ? <WatchedQueries /> : <Corpus />}
    </>
  );
}

function Corpus() {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => getJson<CorpusFigures>("/console/api/papers", { signal }), []);
  const total = loaded.value?.years.reduce((sum, year) => sum + year.papers, 0) ?? 0;
  return (
    <div class="stack">
      <FindPaper />
      <LoadedView loaded={loaded}>
        {(figures) =>
          figures.newest.length === 0 ? (
            <NoPapers />
          ) : (
            <>
              <Years figures={figures} />
              <Card title={texts.newest} aside={total > figures.newest.length ? texts.newestOf(formatCount(figures.newest.length, language), formatCount(total, language)) : undefined}>
                <Newest papers={figures.newest} />
              </Card>
            </>
          )
        }
      </LoadedView>
    </div>
  );
}

function FindPaper() {
  const texts = useTexts(PAPERS);
  const [text, setText] = useState("");
  return (
    <form
      class="search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const pmid = /^(?:pmid:?\s*)?(\d{1,10})$/i.exec(text.trim())?.[1];
        if (pmid) navigate(buildHref("papers", [pmid]));
        else if (text.trim()) navigate(buildHref("search", [], { q: text.trim(), in: "papers" }));
      }}
    >
      <div class="search-box">
        <Icon name="search" />
        <input type="search" aria-label={texts.box} placeholder={texts.placeholder} value={text} maxLength={2000} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="main">
          {texts.find}
        </button>
      </div>
    </form>
  );
}

function NoPapers() {
  const texts = useTexts(PAPERS);
  const session = useSession();
  return (
    <Card>
      <Empty title={texts.none}>{texts.noneHint}</Empty>
      {hasScope(session, "*") && (
        <p class="row tries">
          <a class="button" href={buildHref("import", ["papers"])}>
            {texts.toImport}
          </a>
          <a class="button" href={buildHref("papers", ["watched"])}>
            {texts.toWatch}
          </a>
        </p>
      )}
    </Card>
  );
}

function Years({ figures }: { figures: CorpusFigures }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const first = figures.years[0]?.year ?? 0;
  const last = figures.years[figures.years.length - 1]?.year ?? 0;
  const counts = new Map(figures.years.map(({ year, papers }) => [year, papers]));
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    <div class="halves">
      <Card title={texts.byYear}>
        <Chart
          label={texts.byYear}
          axis={years.map((year) => formatYear(year, language))}
          series={[{ name: texts.papers, kind: "bar", colour: 0, values: years.map((year) => counts.get(year) ?? 0) }]}
          format={(value) => formatCount(value, language)}
          floor={0}
          file="papers-by-year"
        />
      </Card>
      <Card title={texts.byKind}>
        <RankedBars
          label={texts.byKind}
          column="kind"
          file="papers-by-kind"
          parts={[{ name: texts.papers, colour: 2 }]}
          rows={figures.kinds.map(({ kind, papers }) => ({ name: kind, values: [papers], lang: "en" }))}
          format={(value) => formatCount(value, language)}
        />
      </Card>
    </div>
  );
}

function Newest({ papers }: { papers: NewPaper[] }) {
  const texts = useTexts(PAPERS);
  const language = useLanguage();
  const columns: Column<NewPaper>[] = [
    {
      name: "title",
      title: texts.paper,
      value: (paper) => paper.title,
      show: (paper) => (
        <span lang="en">
          <a href={buildHref("papers", [paper.pmid])}>{paper.title ?? paper.pmid}</a> {paper.sample && <Badge tone="note">{texts.sample}</Badge>}
        </span>
      ),
    },
    { name: "journal", title: texts.journal, value: (paper) => paper.journal, show: (paper) => <span lang="en">{paper.journal ?? "–"}</span> },
    { name: "published", title: texts.published, value: (paper) => paper.published, show: (paper) => <span class="nowrap">{formatPublished(paper.published, language)}</span> },
    { name: "pmid", title: "PMID", figure: true, value: (paper) => paper.pmid, show: (paper) => <code>{paper.pmid}</code> },
  ];
  return <Table label={texts.newest} columns={columns} rows={papers} keyOf={(paper) => paper.pmid} file="papers" />;
}

/** A date of publication as exact as it is known: a year or a month stays one. */
export function formatPublished(published: string | null, language: "en" | "th"): string {
  return published ? formatKnown(published, language) : "–";
}
