import { useState } from "preact/hooks";
import { formatDay, formatPercent } from "../format";
import { type FundList, type ListedFund, asList } from "../funds";
import { usePage } from "../page";
import { Amount, Return, Risk } from "../parts/figures";
import { Saves } from "../parts/saves";
import { EmptyState } from "../parts/states";
import type { Cell } from "../save";
import { isTextKey } from "../texts";

const COLUMNS = ["symbol", "fund_name", "amc", "risk_level", "nav_date", "nav_value", "nav_change_percent", "perf_ytd", "perf_1y", "perf_3y", "perf_5y", "performance", "outperformance"];
const FEWEST = 2;
const MOST = 5;

export function ListView({ data, input }: { data: FundList; input: Record<string, unknown> }) {
  const { texts, navigate, reload } = usePage();
  const [chosen, setChosen] = useState<string[]>([]);
  const funds = asList(data.funds);
  if (funds.length === 0) return <EmptyState texts={texts} />;
  const ranked = data.period !== undefined;
  const total = data.totalCount ?? (input.riskLevel === undefined ? data.periodStats?.fundsCounted : undefined) ?? funds.length;
  const reach = data.page === undefined ? Math.min(total, longest(data)) : total;
  const choose = (symbol: string) =>
    setChosen(chosen.includes(symbol) ? chosen.filter((other) => other !== symbol) : [...chosen, symbol].slice(-MOST));

  return (
    <section>
      <header class="head">
        <h1>{ranked && isTextKey(data.period as string) ? `${texts.performance} · ${texts[data.period as "ytd"]}` : texts.title}</h1>
        <p>
          {funds.length === total ? total : `${funds.length} ${texts.of} ${total}`} {texts.funds}
        </p>
      </header>
      {ranked && <Statistics data={data} />}
      <ul class="rows">
        {funds.map((fund) => (
          <Row key={fund.symbol} fund={fund} ranked={ranked} chosen={chosen.includes(fund.symbol)} onChoose={choose} />
        ))}
      </ul>
      <Saves name="funds" rows={() => [COLUMNS, ...funds.map((fund) => COLUMNS.map((name) => readCell(fund, name)))]} json={() => funds} />
      <footer class="foot">
        {funds.length < reach && (
          <button type="button" onClick={() => reload(...more(data, input))}>
            {texts.more}
          </button>
        )}
        <button
          type="button"
          class="main"
          disabled={chosen.length < FEWEST}
          title={texts.compareHint}
          onClick={() => navigate("compare_rmf_funds", { fundCodes: chosen })}
        >
          {texts.compare} ({chosen.length})
        </button>
      </footer>
    </section>
  );
}

function readCell(fund: ListedFund, name: string): Cell {
  const value = (fund as unknown as Record<string, unknown>)[name];
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** Builds the input for more results: the next page, or a higher limit for tools without pages. */
function more(data: FundList, input: Record<string, unknown>): [Record<string, unknown>, boolean] {
  if (data.page !== undefined) return [{ ...input, page: data.page + 1 }, true];
  const previous = data.period === undefined ? (data.appliedFilters ?? {}) : { period: data.period };
  return [{ ...previous, ...input, limit: Math.min(asList(data.funds).length + 20, longest(data)) }, false];
}

/** The maximum of the tool's `limit`. */
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
  const { texts, language, navigate } = usePage();
  return (
    <li class="row">
      <input
        type="checkbox"
        checked={chosen}
        aria-label={`${texts.choose}: ${fund.symbol}`}
        onChange={() => onChoose(fund.symbol)}
      />
      <button
        type="button"
        class="name"
        aria-label={`${texts.details} ${fund.symbol}`}
        onClick={() => navigate("get_rmf_fund_detail", { fundCode: fund.symbol })}
      >
        <strong>{fund.symbol}</strong>
        <span>{fund.fund_name}</span>
        <small>{fund.amc ?? ""}</small>
        {fund.gone_since && (
          <small class="down">
            {texts.gone} {formatDay(fund.gone_since, language)}
          </small>
        )}
      </button>
      <div class="cell">
        <small>{texts.risk}</small>
        <Risk level={fund.risk_level} />
      </div>
      <div class="cell">
        <small>
          {texts.nav} {fund.nav_date ? formatDay(fund.nav_date, language) : ""}
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
  const { texts } = usePage();
  return (
    <>
      <div class="cell">
        <small>{texts.ytd}</small>
        <Return value={fund.perf_ytd} nulls={fund.nulls} name="perf_ytd" />
      </div>
      <div class="cell">
        <small>{texts["1y"]}</small>
        <Return value={fund.perf_1y} nulls={fund.nulls} name="perf_1y" />
      </div>
    </>
  );
}

function Ranking({ fund }: { fund: ListedFund }) {
  const { texts } = usePage();
  return (
    <>
      <div class="cell">
        <small>{texts.performance}</small>
        <Return value={fund.performance} nulls={fund.nulls} name="performance" />
      </div>
      <div class="cell">
        <small>{texts.difference}</small>
        <Return value={fund.outperformance} nulls={fund.nulls} name="outperformance" />
      </div>
    </>
  );
}

function Statistics({ data }: { data: FundList }) {
  const { texts, language } = usePage();
  const stats = data.periodStats;
  if (!stats) return null;
  const shown = [
    [texts.average, stats.average],
    [texts.median, stats.median],
    [texts.lowest, stats.min],
    [texts.highest, stats.max],
  ] as const;
  return (
    <dl class="tiles">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatPercent(value, language)}</dd>
        </div>
      ))}
      <div>
        <dt>{texts.counted}</dt>
        <dd>{stats.fundsCounted}</dd>
      </div>
    </dl>
  );
}
