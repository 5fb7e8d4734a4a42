import { useRef } from "preact/hooks";
import { saveChartPng } from "../export";
import { formatDay, formatNumber } from "../format";
import { asList, type NavHistory, type NavPoint } from "../funds";
import { usePage } from "../page";
import { Amount, Return } from "../parts/figures";
import { Line } from "../parts/line";
import { Saves } from "../parts/saves";
import { EmptyState } from "../parts/states";
import type { Language } from "../texts";

const RANGES = [7, 30, 90, 180, 365];

export function ChartView({ data, days }: { data: NavHistory; days: number }) {
  const { texts, language, reload, navigate } = usePage();
  const points = asList(data.navHistory);
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section}>
      <header class="head">
        <div>
          <h1>{data.fundCode}</h1>
          <p>{data.fundName}</p>
        </div>
        <button type="button" onClick={() => navigate("get_rmf_fund_detail", { fundCode: data.fundCode })}>
          {texts.details} {data.fundCode}
        </button>
      </header>
      <div class="ranges" role="group" aria-label={texts.range}>
        {RANGES.map((range) => (
          <button key={range} type="button" aria-pressed={range === days} onClick={() => reload({ fundCode: data.fundCode, days: range })}>
            {range} {texts.days}
          </button>
        ))}
      </div>
      {points.length === 0 ? (
        <EmptyState texts={texts} text={texts.noHistory} />
      ) : (
        <>
          {data.isShort && (
            <p class="told">
              {formatDay(data.from, language)} – {formatDay(data.to, language)}: {data.covered}/{days} {texts.days} ({texts.short})
            </p>
          )}
          <Line points={points} label={`${texts.chart}: ${data.fundCode}, ${points.length} ${texts.days}`} />
          <Saves
            name={data.fundCode}
            rows={() => [[texts.day, texts.nav, "%"], ...points.map((point) => [point.date, point.nav, point.changePercent])]}
            json={() => points}
            chart={{ drawing: section, savePng: () => saveChart(data, points, language) }}
          />
        </>
      )}
      <dl class="tiles">
        <div>
          <dt>{texts.periodReturn}</dt>
          <dd>
            <Return value={data.periodReturn} nulls={data.nulls} name="periodReturn" />
          </dd>
        </div>
        <div>
          <dt>{texts.volatility}</dt>
          <dd>
            <Amount value={data.volatility} digits={2} nulls={data.nulls} name="volatility" /> %
          </dd>
        </div>
        <div>
          <dt>{texts.drawdown}</dt>
          <dd>
            <Return value={data.maxDrawdown} nulls={data.nulls} name="maxDrawdown" />
          </dd>
        </div>
        <div>
          <dt>{texts.lowest}</dt>
          <dd>
            <Amount value={data.minNav} nulls={data.nulls} name="minNav" />
          </dd>
        </div>
        <div>
          <dt>{texts.highest}</dt>
          <dd>
            <Amount value={data.maxNav} nulls={data.nulls} name="maxNav" />
          </dd>
        </div>
        <div>
          <dt>{texts.average}</dt>
          <dd>
            <Amount value={data.avgNav} nulls={data.nulls} name="avgNav" />
          </dd>
        </div>
      </dl>
      {points.length > 0 && (
        <details class="part">
          <summary>{texts.asTable}</summary>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">{texts.day}</th>
                <th scope="col">{texts.nav}</th>
                <th scope="col">{texts.change}</th>
              </tr>
            </thead>
            <tbody>
              {[...points].reverse().map((point) => (
                <tr key={point.date}>
                  <th scope="row">{formatDay(point.date, language)}</th>
                  <td>{formatNumber(point.nav, language, 4)}</td>
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

function saveChart(data: NavHistory, points: NavPoint[], language: Language): void {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--brand").trim();
  const days: [string, string] = [formatDay(points[0]?.date, language), formatDay(points[points.length - 1]?.date, language)];
  const lines = [{ name: data.fundName, values: points.map((point) => point.nav), colour }];
  saveChartPng(`${data.fundCode}.png`, { title: data.fundCode, days, lines }, (value) => formatNumber(value, language, 2));
}
