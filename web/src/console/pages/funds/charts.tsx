// Charts of one fund or several: NAV, drawdown, returns by period and by year.
import { useState } from "preact/hooks";
import { callTool } from "../../api";
import { formatDay, formatNumber, formatYear } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, Choices, Empty, LoadedView } from "../../parts";
import { Chart } from "../../parts/chart";
import { loadHistory, rebase, returnsByYear, toDrawdown } from "./nav";
import { FUNDS } from "./texts";

const SPANS = ["30", "90", "180", "365"] as const;
type Span = (typeof SPANS)[number];
type View = "nav" | "drawdown";

function SpanChoice({ span, onSpan }: { span: Span; onSpan(span: Span): void }) {
  const texts = useTexts(FUNDS);
  return <Choices label={texts.days} value={span} options={SPANS.map((days) => [days, texts.daysOf(days)])} onValue={onSpan} />;
}

export function FundCharts({ code }: { code: string }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const [span, setSpan] = useState<Span>("365");
  const [view, setView] = useState<View>("nav");
  const loaded = useLoaded((signal) => loadHistory(code, Number(span), signal), [code, span]);
  const percent = (value: number) => `${formatNumber(value, language, 1)} %`;
  return (
    <>
      <Card title={view === "nav" ? texts.chart : texts.drawdown} aside={<Choices label={texts.view} value={view} options={[["nav", texts.chart], ["drawdown", texts.drawdown]]} onValue={setView} />}>
        <div class="stack tight-stack">
          <SpanChoice span={span} onSpan={setSpan} />
          <LoadedView loaded={loaded}>
            {(points) =>
              points.length < 2 ? (
                <Empty title={texts.noPrices}>{texts.noPricesHint}</Empty>
              ) : (
                <Chart
                  label={`${code} ${view === "nav" ? texts.chart : texts.drawdown}`}
                  axis={points.map((point) => formatDay(point.date, language))}
                  series={[
                    view === "nav"
                      ? { name: texts.baht, kind: "area", colour: 0, values: points.map((point) => point.nav) }
                      : { name: texts.drawdown, kind: "area", colour: 4, values: toDrawdown(points.map((point) => point.nav)) },
                  ]}
                  format={view === "nav" ? (value) => formatNumber(value, language, 2) : percent}
                  formatExact={view === "nav" ? (value) => `${formatNumber(value, language, 4)} ${texts.baht}` : percent}
                  file={`${code}-${view}`}
                />
              )
            }
          </LoadedView>
        </div>
      </Card>
      <div class="halves">
        <PeriodReturns code={code} />
        <Card title={texts.byYear}>
          <LoadedView loaded={loaded}>
            {(points) => {
              const years = returnsByYear(points);
              if (years.length === 0) return <Empty title={texts.noPrices}>{texts.noPricesHint}</Empty>;
              return (
                <>
                  <Chart
                    label={`${code} ${texts.byYear}`}
                    axis={years.map((year) => `${formatYear(year.year, language)}${year.whole ? "" : "*"}`)}
                    series={[{ name: texts.returned, kind: "bar", colour: 0, values: years.map((year) => year.percent) }]}
                    format={percent}
                    floor={0}
                    file={`${code}-by-year`}
                  />
                  {years.some((year) => !year.whole) && <p class="hint">{texts.partOfYear}</p>}
                </>
              );
            }}
          </LoadedView>
        </Card>
      </div>
    </>
  );
}

const PERIODS = ["ytd", "3m", "6m", "1y", "3y", "5y", "10y"] as const;

type FundFigures = Record<string, number | string | null> & { fund_name: string | null; fund_name_th: string | null };

export async function loadFund(code: string, signal: AbortSignal): Promise<FundFigures> {
  const { data } = await callTool<{ structuredContent: { fund: FundFigures } }>("get_rmf_fund_detail", { fundCode: code }, { signal });
  return data.structuredContent.fund;
}

function PeriodReturns({ code }: { code: string }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => loadFund(code, signal), [code]);
  return (
    <Card title={texts.byPeriod}>
      <LoadedView loaded={loaded}>
        {(fund) => {
          const figure = (name: string) => (typeof fund[name] === "number" ? fund[name] : null);
          const known = PERIODS.filter((period) => figure(`perf_${period}`) !== null || figure(`benchmark_${period}`) !== null);
          if (known.length === 0) return <Empty title={texts.noPrices} />;
          return (
            <>
              <Chart
                label={`${code} ${texts.byPeriod}`}
                axis={known.map((period) => texts.periods[period])}
                series={[
                  { name: code, kind: "bar", colour: 0, values: known.map((period) => figure(`perf_${period}`)) },
                  { name: texts.benchmark, kind: "bar", colour: 5, values: known.map((period) => figure(`benchmark_${period}`)) },
                ]}
                format={(value) => `${formatNumber(value, language, 1)} %`}
                floor={0}
                file={`${code}-returns`}
              />
              <p class="hint">{texts.perYear}</p>
            </>
          );
        }}
      </LoadedView>
    </Card>
  );
}

export function JointChart({ codes }: { codes: string[] }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const [span, setSpan] = useState<Span>("365");
  const [view, setView] = useState<View>("nav");
  const loaded = useLoaded((signal) => Promise.all(codes.map((code) => loadHistory(code, Number(span), signal))), [codes.join("|"), span]);
  return (
    <div class="stack tight-stack">
      <div class="row between">
        <SpanChoice span={span} onSpan={setSpan} />
        <Choices label={texts.view} value={view} options={[["nav", texts.together], ["drawdown", texts.drawdown]]} onValue={setView} />
      </div>
      <LoadedView loaded={loaded}>
        {(histories) => {
          const { days, values } = rebase(histories);
          if (days.length < 2) return <Empty title={texts.noPrices}>{texts.noPricesHint}</Empty>;
          return (
            <Chart
              label={view === "nav" ? texts.together : texts.drawdown}
              height={280}
              axis={days.map((day) => formatDay(day, language))}
              series={codes.map((code, at) => ({ name: code, colour: at % 6, values: view === "nav" ? values[at] ?? [] : toDrawdown(values[at] ?? []) }))}
              format={(value) => (view === "nav" ? formatNumber(value, language, 1) : `${formatNumber(value, language, 1)} %`)}
              file="funds"
              legend
            />
          );
        }}
      </LoadedView>
    </div>
  );
}
