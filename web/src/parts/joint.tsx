// Several funds in one chart: an index that starts at 100, with a cursor for mouse, touch and arrow keys.
import { useState } from "preact/hooks";
import { formatDay, formatNumber } from "../format";
import type { JointChart } from "../funds";
import { usePage } from "../page";

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 8;
const RIGHT = 56;
const TOP = 12;
const BOTTOM = 26;

export function JointLines({ chart, label }: { chart: JointChart; label: string }) {
  const { language } = usePage();
  const [chosen, setChosen] = useState<number | null>(null);
  const symbols = Object.keys(chart.series);
  const last = chart.dates.length - 1;
  const at = Math.min(chosen ?? last, last);
  const all = symbols.flatMap((symbol) => chart.series[symbol] ?? []);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const x = (step: number) => LEFT + (step / Math.max(last, 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const bound = (step: number) => Math.max(0, Math.min(last, step));

  const walk = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(bound(next));
  };
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    setChosen(bound(Math.round(((share - LEFT) / (WIDTH - LEFT - RIGHT)) * last)));
  };

  return (
    <figure class="line joint">
      <figcaption aria-live="polite">
        <span>{formatDay(chart.dates[at], language)}</span>
        {symbols.map((symbol, kind) => (
          <span key={symbol}>
            <i class={`kind${kind}`} aria-hidden="true" /> {symbol} <b class="figure">{formatNumber(chart.series[symbol]?.[at], language)}</b>
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        tabindex={0}
        onKeyDown={walk}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setChosen(null)}
      >
        {[0, 0.5, 1].map((share) => {
          const value = low + (high - low) * share;
          return (
            <g key={share} class="grid">
              <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
              <text x={WIDTH - RIGHT + 6} y={y(value) + 4}>{formatNumber(value, language, 0)}</text>
            </g>
          );
        })}
        {symbols.map((symbol, kind) => (
          <path
            key={symbol}
            class={`stroke ink${kind}`}
            d={(chart.series[symbol] ?? []).map((value, step) => `${step ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("")}
          />
        ))}
        <text class="tick" x={LEFT} y={HEIGHT - 6}>{formatDay(chart.from, language)}</text>
        <text class="tick end" x={WIDTH - RIGHT} y={HEIGHT - 6}>{formatDay(chart.to, language)}</text>
        <line class="cross" x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
      </svg>
    </figure>
  );
}
