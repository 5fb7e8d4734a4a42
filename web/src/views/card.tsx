import { formatDay, formatNumber, formatPercent } from "../format";
import { type Fund, asNumber, asList, type NavPoint, PERIODS } from "../funds";
import { usePage } from "../page";
import { Bar, barScale } from "../parts/bar";
import { Age, Amount, Return, Risk } from "../parts/figures";
import { Sparkline } from "../parts/line";
import { Saves } from "../parts/saves";
import type { Cell } from "../save";
import type { TextKey } from "../texts";

export function CardView({ fund, recent }: { fund: Fund; recent: NavPoint[] }) {
  const { texts, language, navigate } = usePage();
  const thai = language === "th" && fund.fund_name_th;
  return (
    <section class="card">
      <header class="head">
        <div>
          <h1>{fund.symbol}</h1>
          <p>{thai ? fund.fund_name_th : fund.fund_name}</p>
          <small>{[fund.amc, fund.fund_classification].filter(Boolean).join(" · ")}</small>
          {fund.gone_since && (
            <p class="down">
              {texts.gone} {formatDay(fund.gone_since, language)}
            </p>
          )}
        </div>
        <Risk level={fund.risk_level} />
      </header>
      <div class="price">
        <div>
          <strong>
            <Amount value={fund.nav_value} nulls={fund.nulls} name="nav_value" />
          </strong>{" "}
          {texts.baht}
          <p>
            {texts.asOf} {formatDay(fund.nav_date, language)}
            <Age day={fund.nav_date} /> <Return value={fund.nav_change_percent} nulls={fund.nulls} name="nav_change_percent" />
          </p>
        </div>
        <Sparkline points={recent} />
        <button type="button" class="main" onClick={() => navigate("get_rmf_fund_nav_history", { fundCode: fund.symbol, days: 90 })}>
          {texts.chart}
        </button>
      </div>
      <Returns fund={fund} />
      <Allocation fund={fund} />
      <Fees fund={fund} />
      <Minimums fund={fund} />
      <Suitability fund={fund} />
      <Documents fund={fund} />
      <Saves name={fund.symbol} rows={() => listRows(fund)} json={() => fund} />
    </section>
  );
}

/** Lists the tables of the card: returns beside the benchmark, what it holds, and fees. */
function listRows(fund: Fund): Cell[][] {
  return [
    ["period", "performance", "benchmark"],
    ...PERIODS.map((period): Cell[] => [period, asNumber(fund[`perf_${period}`]), asNumber(fund[`benchmark_${period}`])]),
    [],
    ["asset_class", "percentage"],
    ...asList(fund.asset_allocation).map((part): Cell[] => [part.asset_class, asNumber(part.percentage)]),
    [],
    ["fee", "value"],
    ...asList(fund.fees).map((fee): Cell[] => [fee.fee_desc ?? fee.fee_type, asNumber(fee.fee_value)]),
  ];
}

function Returns({ fund }: { fund: Fund }) {
  const { texts, language } = usePage();
  const rows = PERIODS.map((period) => ({
    period,
    own: asNumber(fund[`perf_${period}`]),
    benchmark: asNumber(fund[`benchmark_${period}`]),
  }));
  const scale = barScale(rows.flatMap((row) => [row.own ?? 0, row.benchmark ?? 0]));
  return (
    <div class="part">
      <h2>
        {texts.returns}
        {fund.benchmark_name && (
          <small>
            {" "}
            {texts.against} {fund.benchmark_name}
          </small>
        )}
      </h2>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">
              <span class="aside">{texts.range}</span>
            </th>
            <th scope="col">{texts.performance}</th>
            <th scope="col">{texts.benchmark}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ period, own, benchmark }) => {
            const reconciled = fund.reconciled?.[period];
            return (
              <tr key={period}>
                <th scope="row">{texts[period]}</th>
                <td>
                  <Bar value={own} scale={scale} kind="own" />
                  <Return value={own} nulls={fund.nulls} name={`perf_${period}`} />
                  {reconciled && !reconciled.agrees && (
                    <abbr class="flag" title={`${texts.disagrees} ${formatPercent(reconciled.computed, language)}`}>
                      !
                    </abbr>
                  )}
                </td>
                <td>
                  <Bar value={benchmark} scale={scale} kind="benchmark" />
                  <Return value={benchmark} nulls={fund.nulls} name={`benchmark_${period}`} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Allocation({ fund }: { fund: Fund }) {
  const { texts, language } = usePage();
  const parts = asList(fund.asset_allocation).filter((part) => (asNumber(part.percentage) ?? 0) > 0);
  if (parts.length === 0) return null;
  return (
    <div class="part">
      <h2>{texts.allocation}</h2>
      <div class="stack" aria-hidden="true">
        {parts.map((part, at) => (
          <i key={at} class={`kind${at % 6}`} style={{ flexGrow: asNumber(part.percentage) ?? 0 }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map((part, at) => (
          <li key={at}>
            <i class={`kind${at % 6}`} /> {part.asset_class} <b>{formatNumber(part.percentage, language)} %</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fees({ fund }: { fund: Fund }) {
  const { texts } = usePage();
  const fees = asList(fund.fees);
  if (fees.length === 0) return null;
  return (
    <details class="part">
      <summary>{texts.fees}</summary>
      <table class="plain">
        <tbody>
          {fees.map((fee, at) => (
            <tr key={at}>
              <th scope="row">
                {fee.fee_desc ?? fee.fee_type}
                {fee.fee_remark && <small>{fee.fee_remark}</small>}
              </th>
              <td>{asNumber(fee.fee_value) === null ? <Amount value={null} nulls={{ fee: "unknown_at_source" }} name="fee" /> : <Amount value={fee.fee_value} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const MINIMUMS: TextKey[] = ["min_initial", "min_additional", "min_redemption", "min_balance"];

function Minimums({ fund }: { fund: Fund }) {
  const { texts, language } = usePage();
  const known = MINIMUMS.filter((name) => asNumber(fund[name]) !== null);
  if (known.length === 0) return null;
  return (
    <div class="part">
      <h2>{texts.minimums}</h2>
      <dl class="tiles">
        {known.map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>{formatNumber(asNumber(fund[name]), language)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Suitability({ fund }: { fund: Fund }) {
  const { texts } = usePage();
  const suitability = fund.suitability;
  const passages = [suitability?.target_investor, suitability?.investment_horizon, suitability?.risk_level].filter(Boolean);
  if (passages.length === 0) return null;
  return (
    <details class="part">
      <summary>{texts.suitability}</summary>
      {passages.map((text, at) => (
        <p key={at} class="told" lang="th">
          {text}
        </p>
      ))}
    </details>
  );
}

const DOCUMENTS: TextKey[] = ["factsheet_url", "annual_report_url", "halfyear_report_url"];

function Documents({ fund }: { fund: Fund }) {
  const { texts, openLink } = usePage();
  const known = DOCUMENTS.filter((name) => isWebAddress(fund[name]));
  if (known.length === 0) return null;
  return (
    <div class="part">
      <h2>{texts.documents}</h2>
      <div class="buttons">
        {known.map((name) => (
          <button key={name} type="button" onClick={() => openLink(String(fund[name]))}>
            {texts[name]} ↗
          </button>
        ))}
      </div>
    </div>
  );
}

/** Data may contain any URL; only https is opened. */
function isWebAddress(value: unknown): boolean {
  return typeof value === "string" && /^https:\/\//i.test(value);
}
