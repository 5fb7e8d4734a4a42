import { useRef } from "preact/hooks";
import { saveChartPng } from "../export";
import { formatDay, formatNumber } from "../format";
import { type ComparedFund, type Comparison, type JointChart, asNumber, asList } from "../funds";
import { usePage } from "../page";
import { Bar, barScale } from "../parts/bar";
import { Amount, Return, Risk } from "../parts/figures";
import { JointLines } from "../parts/joint";
import { Saves } from "../parts/saves";
import type { Cell } from "../save";
import type { Language, TextKey, Texts } from "../texts";

const RETURNS: { field: string; word: TextKey }[] = [
  { field: "perf_ytd", word: "ytd" },
  { field: "perf_1y", word: "1y" },
  { field: "perf_3y", word: "3y" },
  { field: "perf_5y", word: "5y" },
];
const HIGHLIGHTS: TextKey[] = ["bestYtd", "worstYtd", "lowestRisk", "highestRisk", "lowestFees"];

const RANGES = [30, 90, 365, 1095];

export function ComparisonView({ data, chart, days }: { data: Comparison; chart: JointChart | null; days: number }) {
  const { texts, language, navigate, reload } = usePage();
  const funds = asList(data.funds);
  const symbols = funds.map((fund) => fund.symbol);
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section}>
      <header class="head">
        <h1>{texts.compare}</h1>
        <p>
          {funds.length} {texts.funds}
        </p>
      </header>
      <ul class="chips">
        {HIGHLIGHTS.filter((name) => data.comparisonHighlights?.[name]).map((name) => (
          <li key={name}>
            <small>{texts[name]}</small> <b>{(data.ties?.[name] ?? [data.comparisonHighlights[name]]).join(" = ")}</b>
          </li>
        ))}
      </ul>
      <h2>{texts.jointChart}</h2>
      <div class="ranges" role="group" aria-label={texts.range}>
        {RANGES.map((range) => (
          <button key={range} type="button" aria-pressed={range === days} onClick={() => reload({ fundCodes: symbols, days: range })}>
            {range} {texts.days}
          </button>
        ))}
      </div>
      {chart ? <JointLines chart={chart} label={`${texts.jointChart}: ${symbols.join(", ")}`} /> : <p class="told">{texts.noJoint}</p>}
      <Saves
        name="funds"
        rows={() => listRows(funds, texts, chart)}
        json={() => ({ funds, chart })}
        chart={chart && { drawing: section, savePng: () => saveChart(chart, texts.jointChart, language) }}
      />
      <ul class="names">
        {funds.map((fund, kind) => (
          <li key={fund.symbol}>
            <button type="button" class="name" onClick={() => navigate("get_rmf_fund_detail", { fundCode: fund.symbol })}>
              <strong>
                <i class={`kind${kind}`} aria-hidden="true" /> {fund.symbol}
              </strong>
              <small>{fund.fund_name}</small>
            </button>
          </li>
        ))}
      </ul>
      <div class="wide">
        <table class="compared">
          <thead>
            <tr>
              <th scope="col" class="aside">
                {texts.fund}
              </th>
              {funds.map((fund) => (
                <th key={fund.symbol} scope="col">
                  <button type="button" class="name" onClick={() => navigate("get_rmf_fund_detail", { fundCode: fund.symbol })}>
                    <strong>{fund.symbol}</strong>
                    <small>{fund.fund_name}</small>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Line name={texts.risk} funds={funds} show={(fund) => <Risk level={fund.risk_level} />} />
            {RETURNS.map(({ field, word }) => (
              <Returns key={field} funds={funds} field={field} name={texts[word]} />
            ))}
            <Line
              name={texts.benchmark}
              funds={funds}
              show={(fund) => (
                <>
                  <Return value={asNumber(fund.benchmark_1y)} nulls={fund.nulls} name="benchmark_1y" />
                  <small>{fund.benchmark_name ?? ""}</small>
                </>
              )}
            />
            {(["volatility_1y", "tracking_error"] as const).map((field) => (
              <Line
                key={field}
                name={texts[field]}
                funds={funds}
                show={(fund) => <Amount value={asNumber(fund[field])} digits={2} nulls={fund.nulls} name={field} />}
              />
            ))}
            <Line name={texts.fees} funds={funds} show={(fund) => <Fees fund={fund} />} />
            <Line
              name={texts.nav}
              funds={funds}
              show={(fund) => (
                <>
                  <Amount value={fund.nav_value} nulls={fund.nulls} name="nav_value" />
                  <small>{formatDay(fund.nav_date, language)}</small>
                </>
              )}
            />
          </tbody>
        </table>
      </div>
    </section>
  );
}

function saveChart(chart: JointChart, title: string, language: Language): void {
  const style = getComputedStyle(document.documentElement);
  const lines = Object.entries(chart.series).map(([name, values], kind) => ({
    name,
    values,
    colour: style.getPropertyValue(`--k${kind}`).trim(),
  }));
  const days: [string, string] = [formatDay(chart.from, language), formatDay(chart.to, language)];
  saveChartPng("funds.png", { title, days, lines }, (value) => formatNumber(value, language, 1));
}

/** Lists the compared figures, then the joint chart day by day. Figures and days are as programs read them. */
function listRows(funds: ComparedFund[], texts: Texts, chart: JointChart | null): Cell[][] {
  const figures = ["fund_name", "amc", "risk_level", "nav_date", "nav_value", "perf_ytd", "perf_1y", "perf_3y", "perf_5y", "benchmark_1y", "volatility", "tracking_error"];
  const rows: Cell[][] = [[texts.figure, ...funds.map((fund) => fund.symbol)]];
  for (const name of figures) rows.push([name, ...funds.map((fund) => fund[name] as Cell)]);
  if (chart) {
    rows.push([], [texts.day, ...Object.keys(chart.series)]);
    chart.dates.forEach((day, at) => rows.push([day, ...Object.values(chart.series).map((values) => values[at])]));
  }
  return rows;
}

function Line({ name, funds, show }: { name: string; funds: ComparedFund[]; show(fund: ComparedFund): preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {funds.map((fund) => (
        <td key={fund.symbol} data-symbol={fund.symbol}>
          {show(fund)}
        </td>
      ))}
    </tr>
  );
}

function Returns({ funds, field, name }: { funds: ComparedFund[]; field: string; name: string }) {
  const { texts } = usePage();
  const values = funds.map((fund) => asNumber(fund[field]));
  const known = values.filter((value): value is number => value !== null);
  const scale = barScale(known);
  // No best value while any value is unknown.
  const best = known.length === values.length ? Math.max(...known) : null;
  return (
    <tr>
      <th scope="row">{name}</th>
      {funds.map((fund, at) => (
        <td key={fund.symbol} data-symbol={fund.symbol} class={best !== null && values[at] === best ? "best" : ""}>
          <Return value={values[at]} nulls={fund.nulls} name={field} />
          {best !== null && values[at] === best && <span class="aside">{texts.best}</span>}
          <Bar value={values[at]} scale={scale} kind="own" />
        </td>
      ))}
    </tr>
  );
}

function Fees({ fund }: { fund: ComparedFund }) {
  const known = asList(fund.fees).filter((fee) => asNumber(fee.fee_value) !== null);
  if (known.length === 0) return <Amount value={null} nulls={fund.nulls} name="fees" />;
  return (
    <ul class="fees">
      {known.map((fee, at) => (
        <li key={at}>
          {fee.fee_desc ?? ""} <Amount value={fee.fee_value} />
        </li>
      ))}
    </ul>
  );
}
