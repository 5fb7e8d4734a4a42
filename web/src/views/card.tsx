import { day, number, percent } from "../format";
import { type Fund, figure, list, type NavPoint, PERIODS } from "../funds";
import { usePage } from "../page";
import { Bar, barScale } from "../parts/bar";
import { Amount, Return, Risk } from "../parts/figures";
import { Sparkline } from "../parts/line";
import type { Word } from "../words";

export function CardView({ fund, recent }: { fund: Fund; recent: NavPoint[] }) {
  const { words, language, go } = usePage();
  const thai = language === "th" && fund.fund_name_th;
  return (
    <section class="card">
      <header class="head">
        <div>
          <h1>{fund.symbol}</h1>
          <p>{thai ? fund.fund_name_th : fund.fund_name}</p>
          <small>{[fund.amc, fund.fund_classification].filter(Boolean).join(" · ")}</small>
        </div>
        <Risk level={fund.risk_level} />
      </header>
      <div class="price">
        <div>
          <strong>
            <Amount value={fund.nav_value} nulls={fund.nulls} name="nav_value" />
          </strong>{" "}
          {words.baht}
          <p>
            {words.asOf} {day(fund.nav_date, language)} <Return value={fund.nav_change_percent} nulls={fund.nulls} name="nav_change_percent" />
          </p>
        </div>
        <Sparkline points={recent} />
        <button type="button" class="main" onClick={() => go("get_rmf_fund_nav_history", { fundCode: fund.symbol, days: 90 })}>
          {words.chart}
        </button>
      </div>
      <Returns fund={fund} />
      <Allocation fund={fund} />
      <Fees fund={fund} />
      <Minimums fund={fund} />
      <Suitability fund={fund} />
      <Documents fund={fund} />
    </section>
  );
}

function Returns({ fund }: { fund: Fund }) {
  const { words, language } = usePage();
  const rows = PERIODS.map((period) => ({
    period,
    own: figure(fund[`perf_${period}`]),
    benchmark: figure(fund[`benchmark_${period}`]),
  }));
  const scale = barScale(rows.flatMap((row) => [row.own ?? 0, row.benchmark ?? 0]));
  return (
    <div class="part">
      <h2>
        {words.returns}
        {fund.benchmark_name && (
          <small>
            {" "}
            {words.against} {fund.benchmark_name}
          </small>
        )}
      </h2>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">
              <span class="aside">{words.range}</span>
            </th>
            <th scope="col">{words.performance}</th>
            <th scope="col">{words.benchmark}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ period, own, benchmark }) => {
            const told = fund.reconciled?.[period];
            return (
              <tr key={period}>
                <th scope="row">{words[period]}</th>
                <td>
                  <Bar value={own} scale={scale} kind="own" />
                  <Return value={own} nulls={fund.nulls} name={`perf_${period}`} />
                  {told && !told.agrees && (
                    <abbr class="flag" title={`${words.disagrees} ${percent(told.computed, language)}`}>
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
  const { words, language } = usePage();
  const parts = list(fund.asset_allocation).filter((part) => (figure(part.percentage) ?? 0) > 0);
  if (parts.length === 0) return null;
  return (
    <div class="part">
      <h2>{words.allocation}</h2>
      <div class="stack" aria-hidden="true">
        {parts.map((part, at) => (
          <i key={at} class={`kind${at % 6}`} style={{ flexGrow: figure(part.percentage) ?? 0 }} />
        ))}
      </div>
      <ul class="legend">
        {parts.map((part, at) => (
          <li key={at}>
            <i class={`kind${at % 6}`} /> {part.asset_class} <b>{number(part.percentage, language)} %</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fees({ fund }: { fund: Fund }) {
  const { words } = usePage();
  const fees = list(fund.fees);
  if (fees.length === 0) return null;
  return (
    <details class="part">
      <summary>{words.fees}</summary>
      <table class="plain">
        <tbody>
          {fees.map((fee, at) => (
            <tr key={at}>
              <th scope="row">
                {fee.fee_desc ?? fee.fee_type}
                {fee.fee_remark && <small>{fee.fee_remark}</small>}
              </th>
              <td>{figure(fee.fee_value) === null ? <Amount value={null} nulls={{ fee: "unknown_at_source" }} name="fee" /> : <Amount value={fee.fee_value} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const MINIMUMS: Word[] = ["min_initial", "min_additional", "min_redemption", "min_balance"];

function Minimums({ fund }: { fund: Fund }) {
  const { words, language } = usePage();
  const known = MINIMUMS.filter((name) => figure(fund[name]) !== null);
  if (known.length === 0) return null;
  return (
    <div class="part">
      <h2>{words.minimums}</h2>
      <dl class="tiles">
        {known.map((name) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd>{number(figure(fund[name]), language)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Suitability({ fund }: { fund: Fund }) {
  const { words } = usePage();
  const told = fund.suitability;
  const texts = [told?.target_investor, told?.investment_horizon, told?.risk_level].filter(Boolean);
  if (texts.length === 0) return null;
  return (
    <details class="part">
      <summary>{words.suitability}</summary>
      {texts.map((text, at) => (
        <p key={at} class="told" lang="th">
          {text}
        </p>
      ))}
    </details>
  );
}

const DOCUMENTS: Word[] = ["factsheet_url", "annual_report_url", "halfyear_report_url"];

function Documents({ fund }: { fund: Fund }) {
  const { words, openLink } = usePage();
  const known = DOCUMENTS.filter((name) => isWebAddress(fund[name]));
  if (known.length === 0) return null;
  return (
    <div class="part">
      <h2>{words.documents}</h2>
      <div class="buttons">
        {known.map((name) => (
          <button key={name} type="button" onClick={() => openLink(String(fund[name]))}>
            {words[name]} ↗
          </button>
        ))}
      </div>
    </div>
  );
}

/** Data may name any address; only the web's own kind is opened. */
function isWebAddress(value: unknown): boolean {
  return typeof value === "string" && /^https:\/\//i.test(value);
}
