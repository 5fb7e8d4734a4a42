// Line and bar charts: a title, a legend, a cursor that follows mouse, touch and arrow keys, and ways to save them.
import { useEffect, useRef, useState } from "preact/hooks";
import { SavedDrawing } from "./exports";
import type { FileRow } from "../../save";

export interface Series {
  name: string;
  /** One value for each point of the axis; null leaves a gap. */
  values: (number | null)[];
  kind?: "line" | "area" | "bar";
  /** The number of its colour, 0 to 5. */
  colour: number;
}

interface ChartProps {
  label: string;
  /** The text of each point of the axis. */
  axis: string[];
  series: Series[];
  format(value: number): string;
  /** How a single value is shown, where it has more digits than the axis. */
  formatExact?(value: number): string;
  height?: number;
  /** The lowest value of the axis, such as 0. */
  floor?: number;
  file: string;
  legend?: boolean;
}

const TOP = 12;
const BOTTOM = 26;
const LEFT = 4;
const GRID = 4;
const DASH = 4;
const LETTER = 7;
const WIDEST = 44;

export function Chart({ label, axis, series, format, formatExact = format, height = 220, floor, file, legend = series.length > 1 }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = series.filter((line) => line.values.some((value) => value !== null));
  const values = shown.flatMap((line) => line.values.filter((value): value is number => value !== null));
  if (values.length === 0 || axis.length === 0) return null;
  const scale = fitScale(Math.min(...values, floor ?? Infinity), Math.max(...values, floor ?? -Infinity));
  const right = Math.max(...scale.ticks.map((tick) => format(tick).length)) * LETTER + 14;
  const hasBars = shown.some((line) => line.kind === "bar");
  const inner = Math.max(width - LEFT - right, 10);
  const step = hasBars ? inner / axis.length : inner / Math.max(axis.length - 1, 1);
  const x = (at: number) => LEFT + (hasBars ? (at + 0.5) * step : at * step);
  const y = (value: number) => TOP + (1 - (value - scale.low) / (scale.high - scale.low)) * (height - TOP - BOTTOM);
  const at = chosen ?? axis.length - 1;
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / inner;
    setChosen(clamp(Math.round(hasBars ? share * axis.length - 0.5 : share * (axis.length - 1)), axis.length));
  };
  const onKey = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: axis.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(clamp(next, axis.length));
  };
  const told = shown.map((line) => `${line.name} ${line.values[at] == null ? "–" : formatExact(line.values[at])}`).join(", ");
  const rows = () => axis.map((name, point): FileRow => ({ at: name, ...Object.fromEntries(series.map((line) => [line.name, line.values[point] ?? null])) }));
  const base = y(Math.max(scale.low, Math.min(0, scale.high)));
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-at">{axis[at]}</span>
        {shown.map((line) => (
          <span key={line.name} class="chart-value">
            {legend && <i class={`swatch kind${line.colour}`} />} {legend && line.name} <b class="figure">{line.values[at] == null ? "–" : formatExact(line.values[at])}</b>
          </span>
        ))}
      </figcaption>
      <SavedDrawing
          file={file}
          rows={rows}
          frameClass="chart-frame"
          frame={frame}
          width={width}
          height={height}
          role="slider"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={axis.length - 1}
          aria-valuenow={at}
          aria-valuetext={`${axis[at]}: ${told}`}
          tabindex={0}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setChosen(null)}
          onKeyDown={onKey}
        >
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line class="grid" x1={LEFT} x2={LEFT + inner} y1={y(tick)} y2={y(tick)} />
              <text class="tick" x={LEFT + inner + 8} y={y(tick) + 4}>
                {format(tick)}
              </text>
            </g>
          ))}
          {shown.map((line) =>
            line.kind === "bar" ? (
              <g key={line.name} class={`bars c${line.colour}`}>
                {line.values.map((value, point) => {
                  if (value === null) return null;
                  const bars = shown.filter((other) => other.kind === "bar");
                  const wide = Math.max(Math.min(step * 0.72, WIDEST) / bars.length, 1);
                  const left = x(point) - (wide * bars.length) / 2 + bars.indexOf(line) * wide;
                  return <rect key={point} x={left} width={Math.max(wide - (wide > 3 ? 1 : 0), 0.5)} y={Math.min(y(value), base)} height={Math.max(Math.abs(base - y(value)), value === 0 ? 0 : 1)} rx={Math.min(2, wide / 4)} />;
                })}
              </g>
            ) : (
              <g key={line.name} class={`lines c${line.colour}`}>
                {line.kind === "area" && <path class="under" d={pathOf(line.values, x, y, base)} />}
                <path d={pathOf(line.values, x, y)} />
                {line.values.filter((value) => value !== null).length === 1 && line.values.map((value, point) => value !== null && <circle key={point} cx={x(point)} cy={y(value)} r="3" />)}
              </g>
            ),
          )}
          {pickLabels(axis, inner, hasBars).map(({ point, anchor }) => (
            <text key={point} class={`tick ${anchor}`} x={x(point)} y={height - 6}>
              {axis[point]}
            </text>
          ))}
          {chosen !== null && <line class="cursor" x1={x(at)} x2={x(at)} y1={TOP} y2={height - BOTTOM} />}
          {chosen !== null && shown.map((line) => line.kind !== "bar" && line.values[at] != null && <circle key={line.name} class={`point c${line.colour}`} cx={x(at)} cy={y(line.values[at])} r="4" />)}
      </SavedDrawing>
    </figure>
  );
}

function clamp(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}

/** The width of the chart, which is drawn in pixels so that its letters keep their size. */
export function useWidth(frame: { current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(Math.floor(element.clientWidth), 120));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** Rounds the ends of an axis to steps of 1, 2 or 5 times a power of ten. */
function fitScale(least: number, most: number): { low: number; high: number; ticks: number[] } {
  const spread = most - least || Math.abs(most) * 0.1 || 1;
  const rough = spread / GRID;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const low = Math.floor(least / step + 1e-9) * step;
  const high = Math.max(Math.ceil(most / step - 1e-9) * step, low + step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => Number((low + at * step).toPrecision(12)));
  return { low, high, ticks };
}

function pathOf(values: (number | null)[], x: (at: number) => number, y: (value: number) => number, base?: number): string {
  let path = "";
  let start: number | null = null;
  values.forEach((value, at) => {
    if (value === null) {
      if (base !== undefined && start !== null) path += `L${x(at - 1).toFixed(1)} ${base}L${x(start).toFixed(1)} ${base}Z`;
      start = null;
      return;
    }
    const isAlone = start === null && (values[at + 1] ?? null) === null;
    // A line needs two points: one alone is drawn as a short dash, or nobody would see it.
    path += `${start === null ? "M" : "L"}${(x(at) - (isAlone ? DASH / 2 : 0)).toFixed(1)} ${y(value).toFixed(1)}`;
    if (isAlone) path += `h${DASH}`;
    start ??= at;
  });
  if (base !== undefined && start !== null) path += `L${x(values.length - 1).toFixed(1)} ${base}L${x(start).toFixed(1)} ${base}Z`;
  return path;
}

/** Chooses as many labels of the axis as have room. */
function pickLabels(axis: string[], inner: number, hasBars: boolean): { point: number; anchor: "start" | "middle" | "end" }[] {
  const longest = Math.max(...axis.map((name) => name.length)) * LETTER + 18;
  const count = Math.max(2, Math.min(axis.length, Math.floor(inner / longest)));
  if (axis.length === 1) return [{ point: 0, anchor: hasBars ? "middle" : "start" }];
  const isInside = hasBars && axis.length <= 12;
  const points = [...new Set(Array.from({ length: count }, (_, at) => Math.round((at / (count - 1)) * (axis.length - 1))))];
  return points.map((point) => ({ point, anchor: isInside ? "middle" : point === 0 ? "start" : point === axis.length - 1 ? "end" : "middle" }));
}
