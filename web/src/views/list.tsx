import { useState } from "preact/hooks";
import { day, percent } from "../format";
import { type FundList, type ListedFund, list } from "../funds";
import { usePage } from "../page";
import { Amount, Return, Risk } from "../parts/figures";
import { Empty } from "../parts/states";
import { isWord } from "../words";

const FEWEST = 2;
const MOST = 5;

export function ListView({ data, input }: { data: FundList; input: Record<string, unknown> }) {
  const { words, go, again } = usePage();
  const [chosen, setChosen] = useState<string[]>([]);
  const funds = list(data.funds);
  if (funds.length === 0) return <Empty words={words} />;
  const ranked = data.period !== undefined;
  const total = data.totalCount ?? (input.riskLevel === undefined ? data.periodStats?.fundsCounted : undefined) ?? funds.length;
  const reach = data.page === undefined ? Math.min(total, longest(data)) : total;
  const choose = (symbol: string) =>
    setChosen(chosen.includes(symbol) ? chosen.filter((one) => one !== symbol) : [...chosen, symbol].slice(-MOST));

  return (
    <section>
      <header class="head">
        <h1>{ranked && isWord(data.period as string) ? `${words.performance} · ${words[data.period as "ytd"]}` : words.title}</h1>
        <p>
          {funds.length === total ? total : `${funds.length} ${words.of} ${total}`} {words.funds}
        </p>
      </header>
      {ranked && <Statistics data={data} />}
      <ul class="rows">
        {funds.map((fund) => (
          <Row key={fund.symbol} fund={fund} ranked={ranked} chosen={chosen.includes(fund.symbol)} onChoose={choose} />
        ))}
      </ul>
      <footer class="foot">
        {funds.length < reach && (
          <button type="button" onClick={() => again(...more(data, input))}>
            {words.more}
          </button>
        )}
        <button
          type="button"
          class="main"
          disabled={chosen.length < FEWEST}
          title={words.compareHint}
          onClick={() => go("compare_rmf_funds", { fundCodes: chosen })}
        >
          {words.compare} ({chosen.length})
        </button>
      </footer>
    </section>
  );
}

/** The next page where the answer has pages; a longer list where it has a limit. */
function more(data: FundList, input: Record<string, unknown>): [Record<string, unknown>, boolean] {
  if (data.page !== undefined) return [{ ...input, page: data.page + 1 }, true];
  const asked = data.period === undefined ? (data.appliedFilters ?? {}) : { period: data.period };
  return [{ ...asked, ...input, limit: Math.min(list(data.funds).length + 20, longest(data)) }, false];
}

/** The most that the tool's `limit` takes. */
function longest(data: FundList): number {
  return data.period === undefined ? 100 : 50;
}

interface RowProps {
  fund: ListedFund;
  ranked: boolean;
  chosen: boolean;
  onChoose(symbol: string): void;
}

function Row({ fund, ranked, chosen, onChoose }: RowProps) {
  const { words, language, go } = usePage();
  return (
    <li class="row">
      <input
        type="checkbox"
        checked={chosen}
        aria-label={`${words.choose}: ${fund.symbol}`}
        onChange={() => onChoose(fund.symbol)}
      />
      <button
        type="button"
        class="name"
        aria-label={`${words.details} ${fund.symbol}`}
        onClick={() => go("get_rmf_fund_detail", { fundCode: fund.symbol })}
      >
        <strong>{fund.symbol}</strong>
        <span>{fund.fund_name}</span>
        <small>{fund.amc ?? ""}</small>
      </button>
      <div class="cell">
        <small>{words.risk}</small>
        <Risk level={fund.risk_level} />
      </div>
      <div class="cell">
        <small>
          {words.nav} {fund.nav_date ? day(fund.nav_date, language) : ""}
        </small>
        <span>
          <Amount value={fund.nav_value} nulls={fund.nulls} name="nav_value" />{" "}
          {fund.nav_change_percent != null && <Return value={fund.nav_change_percent} />}
        </span>
      </div>
      {ranked ? <Ranking fund={fund} /> : <Returns fund={fund} />}
    </li>
  );
}

function Returns({ fund }: { fund: ListedFund }) {
  const { words } = usePage();
  return (
    <>
      <div class="cell">
        <small>{words.ytd}</small>
        <Return value={fund.perf_ytd} nulls={fund.nulls} name="perf_ytd" />
      </div>
      <div class="cell">
        <small>{words["1y"]}</small>
        <Return value={fund.perf_1y} nulls={fund.nulls} name="perf_1y" />
      </div>
    </>
  );
}

function Ranking({ fund }: { fund: ListedFund }) {
  const { words } = usePage();
  return (
    <>
      <div class="cell">
        <small>{words.performance}</small>
        <Return value={fund.performance} nulls={fund.nulls} name="performance" />
      </div>
      <div class="cell">
        <small>{words.difference}</small>
        <Return value={fund.outperformance} nulls={fund.nulls} name="outperformance" />
      </div>
    </>
  );
}

function Statistics({ data }: { data: FundList }) {
  const { words, language } = usePage();
  const found = data.periodStats;
  if (!found) return null;
  const shown = [
    [words.average, found.average],
    [words.median, found.median],
    [words.lowest, found.min],
    [words.highest, found.max],
  ] as const;
  return (
    <dl class="tiles">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{percent(value, language)}</dd>
        </div>
      ))}
      <div>
        <dt>{words.counted}</dt>
        <dd>{found.fundsCounted}</dd>
      </div>
    </dl>
  );
}
