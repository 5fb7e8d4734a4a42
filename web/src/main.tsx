// One application for all four widgets: it shows the answer that the host provides and navigates from there.
import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Comparison, Fund, FundList, JointChart, NavHistory, NavPoint } from "./funds";
import { connect } from "./host/connect";
import { type Answer, type Host, isObject } from "./host/host";
import { type Page, PageContext } from "./page";
import { LoadingState, ErrorState } from "./parts/states";
import "./style.css";
import { CardView } from "./views/card";
import { ChartView } from "./views/chart";
import { ComparisonView } from "./views/comparison";
import { ListView } from "./views/list";
import { type Language, TEXTS } from "./texts";

interface Step {
  tool: string;
  input: Record<string, unknown>;
  answer: Answer | null;
}

/** The tool that provides a widget's first answer. The shape of an answer decides which view is shown. */
const FIRST_TOOL: Record<string, string> = {
  "rmf-fund-card": "get_rmf_fund_detail",
  "rmf-performance-chart": "get_rmf_fund_nav_history",
  "rmf-fund-comparison": "compare_rmf_funds",
};

function App({ host, page }: { host: Host; page: string }) {
  const [steps, setSteps] = useState<Step[]>([{ tool: FIRST_TOOL[page] ?? "", input: {}, answer: null }]);
  const [chosen, setChosen] = useState<Language | null>(null);
  const [locale, setLocale] = useState(navigator.language);
  const calls = useRef(0);
  const step = steps[steps.length - 1] as Step;
  const requested = step.input.lang === "th" || step.input.lang === "en" ? step.input.lang : null;
  const language: Language = chosen ?? requested ?? (locale.toLowerCase().startsWith("th") ? "th" : "en");
  const texts = TEXTS[language];

  useEffect(() => {
    host.listen({
      onInput: (input) => setSteps((all) => (all.length === 1 ? [{ ...(all[0] as Step), input }] : all)),
      onAnswer: (answer) => setSteps((all) => [{ ...(all[0] as Step), answer }]),
      onCancelled: () =>
        setSteps((all) => [
          { ...(all[0] as Step), answer: { data: null, meta: {}, problem: { message: TEXTS[language].cancelled } } },
        ]),
      onContext: ({ theme, locale: hostLocale }) => {
        if (theme) document.documentElement.dataset.theme = theme;
        if (hostLocale) setLocale(hostLocale);
      },
    });
  }, [host]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useReportedHeight(host);

  const ask = async (tool: string, input: Record<string, unknown>, place: (step: Step) => void) => {
    const call = ++calls.current;
    place({ tool, input, answer: null });
    const answer = await host.call(tool, input);
    if (call === calls.current) place({ tool, input, answer });
  };
  const replace = (next: Step) => setSteps((all) => [...all.slice(0, -1), next]);
  const value = useMemo<Page>(
    () => ({
      texts,
      language,
      demo: step.answer?.meta.demo === true,
      navigate: (tool, input) => {
        let pushed = false;
        void ask(tool, input, (next) => {
          if (pushed) replace(next);
          else setSteps((all) => [...all, next]);
          pushed = true;
        });
      },
      reload: (input, add = false) => {
        const previous = step.answer;
        void ask(inferTool(step), input, (next) => {
          if (!add) replace(next);
          else if (next.answer) replace({ ...next, answer: appendFunds(previous, next.answer) });
        });
      },
      openLink: (url) => host.openLink(url),
    }),
    [texts, language, step, host],
  );

  return (
    <PageContext.Provider value={value}>
      <nav class="bar-top">
        {steps.length > 1 ? (
          <button
            type="button"
            onClick={() => {
              calls.current += 1;
              setSteps(steps.slice(0, -1));
            }}
          >
            ‹ {texts.back}
          </button>
        ) : (
          <span />
        )}
        {value.demo && <span class="demo">{texts.demo}</span>}
        <button type="button" class="quiet" lang={language === "th" ? "en" : "th"} onClick={() => setChosen(language === "th" ? "en" : "th")}>
          {texts.other}
        </button>
      </nav>
      <main>
        <StepView step={step} onRetry={() => void ask(inferTool(step), step.input, replace)} texts={texts} />
      </main>
    </PageContext.Provider>
  );
}

function StepView({ step, onRetry, texts }: { step: Step; onRetry(): void; texts: Page["texts"] }) {
  const { answer } = step;
  if (answer === null) return <LoadingState texts={texts} />;
  if (answer.problem) return <ErrorState problem={answer.problem} texts={texts} onRetry={step.tool ? onRetry : undefined} />;
  const data = answer.data ?? {};
  if (isObject(data.fund)) {
    const recent = Array.isArray(answer.meta.navHistory7d) ? (answer.meta.navHistory7d as NavPoint[]) : [];
    return <CardView fund={data.fund as unknown as Fund} recent={recent} />;
  }
  if (Array.isArray(data.navHistory)) {
    const days = typeof answer.meta.days === "number" ? answer.meta.days : Number(step.input.days ?? 30);
    return <ChartView data={data as unknown as NavHistory} days={days} />;
  }
  if (isObject(data.comparisonHighlights)) {
    const chart = isObject(answer.meta.chart) ? readChart(answer.meta.chart as unknown as JointChart) : null;
    return <ComparisonView data={data as unknown as Comparison} chart={chart} days={Number(step.input.days ?? 365)} />;
  }
  return <ListView data={data as unknown as FundList} input={step.input} />;
}

/** Returns a chart that can be drawn: at least two days, and a value of every fund for each. */
function readChart(chart: JointChart): JointChart | null {
  const days = Array.isArray(chart.dates) ? chart.dates.length : 0;
  const series = isObject(chart.series) ? Object.values(chart.series) : [];
  return days > 1 && series.length > 0 && series.every((values) => Array.isArray(values) && values.length === days) ? chart : null;
}

/** Infers the tool from its answer, since three tools answer with a list. */
function inferTool(step: Step): string {
  if (step.tool) return step.tool;
  const data = step.answer?.data ?? {};
  if ("periodStats" in data) return "get_rmf_fund_performance";
  return "appliedFilters" in data ? "search_rmf_funds" : "get_rmf_funds";
}

function appendFunds(previous: Answer | null, next: Answer): Answer {
  const before = previous?.data?.funds;
  const after = next.data?.funds;
  if (!Array.isArray(before) || !Array.isArray(after)) return next;
  const known = new Set(before.map((fund: { symbol: string }) => fund.symbol));
  const fresh = after.filter((fund: { symbol: string }) => !known.has(fund.symbol));
  return { ...next, data: { ...next.data, funds: [...before, ...fresh] } };
}

function useReportedHeight(host: Host): void {
  useEffect(() => {
    const watch = new ResizeObserver(() => host.reportHeight(Math.ceil(document.documentElement.getBoundingClientRect().height)));
    watch.observe(document.documentElement);
    return () => watch.disconnect();
  }, [host]);
}

const root = document.getElementById("page");
if (root) render(<App host={connect()} page={document.documentElement.dataset.page ?? ""} />, root);
