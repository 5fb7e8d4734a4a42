import { formatDay } from "../format";
import { type ComparedFund, type Comparison, asNumber, asList } from "../funds";
import { usePage } from "../page";
import { Bar, barScale } from "../parts/bar";
import { Amount, Return, Risk } from "../parts/figures";
import type { TextKey } from "../texts";

const RETURNS: { field: string; word: TextKey }[] = [
  { field: "perf_ytd", word: "ytd" },
  { field: "perf_1y", word: "1y" },
  { field: "perf_3y", word: "3y" },
  { field: "perf_5y", word: "5y" },
];
const HIGHLIGHTS: TextKey[] = ["bestYtd", "worstYtd", "lowestRisk", "highestRisk", "lowestFees"];

export function ComparisonView({ data }: { data: Comparison }) {
  const { texts, language, navigate } = usePage();
  const funds = asList(data.funds);
  return (
    <section>
      <header class="head">
        <h1>{texts.compare}</h1>
        <p>
          {funds.length} {texts.funds}
        </p>
      </header>
      <ul class="chips">
        {HIGHLIGHTS.filter((name) => data.comparisonHighlights?.[name]).map((name) => (
          <li key={name}>
            <small>{texts[name]}</small> <b>{data.comparisonHighlights[name]}</b>
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

function Line({ name, funds, show }: { name: string; funds: ComparedFund[]; show(fund: ComparedFund): preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {funds.map((fund) => (
        <td key={fund.symbol}>{show(fund)}</td>
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
        <td key={fund.symbol} class={best !== null && values[at] === best ? "best" : ""}>
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
