import { day, number } from "../format";
import { list, type NavHistory } from "../funds";
import { usePage } from "../page";
import { Amount, Return } from "../parts/figures";
import { Line } from "../parts/line";
import { Empty } from "../parts/states";

const RANGES = [7, 30, 90, 180, 365];

export function ChartView({ data, days }: { data: NavHistory; days: number }) {
  const { words, language, again, go } = usePage();
  const points = list(data.navHistory);
  return (
    <section>
      <header class="head">
        <div>
          <h1>{data.fundCode}</h1>
          <p>{data.fundName}</p>
        </div>
        <button type="button" onClick={() => go("get_rmf_fund_detail", { fundCode: data.fundCode })}>
          {words.details} {data.fundCode}
        </button>
      </header>
      <div class="ranges" role="group" aria-label={words.range}>
        {RANGES.map((range) => (
          <button key={range} type="button" aria-pressed={range === days} onClick={() => again({ fundCode: data.fundCode, days: range })}>
            {range} {words.days}
          </button>
        ))}
      </div>
      {points.length === 0 ? (
        <Empty words={words} text={words.noHistory} />
      ) : (
        <Line points={points} label={`${words.chart}: ${data.fundCode}, ${points.length} ${words.days}`} />
      )}
      <dl class="tiles">
        <div>
          <dt>{words.periodReturn}</dt>
          <dd>
            <Return value={data.periodReturn} nulls={data.nulls} name="periodReturn" />
          </dd>
        </div>
        <div>
          <dt>{words.volatility}</dt>
          <dd>
            <Amount value={data.volatility} digits={2} nulls={data.nulls} name="volatility" /> %
          </dd>
        </div>
        <div>
          <dt>{words.drawdown}</dt>
          <dd>
            <Return value={data.maxDrawdown} nulls={data.nulls} name="maxDrawdown" />
          </dd>
        </div>
        <div>
          <dt>{words.lowest}</dt>
          <dd>
            <Amount value={data.minNav} nulls={data.nulls} name="minNav" />
          </dd>
        </div>
        <div>
          <dt>{words.highest}</dt>
          <dd>
            <Amount value={data.maxNav} nulls={data.nulls} name="maxNav" />
          </dd>
        </div>
        <div>
          <dt>{words.average}</dt>
          <dd>
            <Amount value={data.avgNav} nulls={data.nulls} name="avgNav" />
          </dd>
        </div>
      </dl>
      {points.length > 0 && (
        <details class="part">
          <summary>{words.asTable}</summary>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                <th scope="col">{words.nav}</th>
                <th scope="col">{words.change}</th>
              </tr>
            </thead>
            <tbody>
              {[...points].reverse().map((point) => (
                <tr key={point.date}>
                  <th scope="row">{day(point.date, language)}</th>
                  <td>{number(point.nav, language, 4)}</td>
                  <td>{point.changePercent == null ? "" : <Return value={point.changePercent} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}
