// NAV charts: a sparkline for cards and a large chart with a cursor for mouse, touch and arrow keys.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatDay, formatNumber, formatPercent, toneOf } from "../format";
import type { NavPoint } from "../funds";
import { usePage } from "../page";

const MOST_WIDTH = 640;
const LEAST_WIDTH = 240;
const LEAST_HEIGHT = 180;
const HEIGHT_SHARE = 0.375;
const LEFT = 8;
const RIGHT = 64;
const TOP = 12;
const BOTTOM = 26;

interface Scale {
  x(at: number): number;
  y(nav: number): number;
  low: number;
  high: number;
}

function scale(points: NavPoint[], width: number, height: number, margins: [number, number, number, number]): Scale {
  const [top, right, bottom, left] = margins;
  const navs = points.map((point) => point.nav);
  const low = Math.min(...navs);
  const high = Math.max(...navs);
  const spread = high - low || Math.abs(high) * 0.01 || 1;
  const steps = Math.max(points.length - 1, 1);
  return {
    x: (at) => left + (at / steps) * (width - left - right),
    y: (nav) => top + (1 - (nav - low) / spread) * (height - top - bottom),
    low,
    high,
  };
}

function path(points: NavPoint[], { x, y }: Scale): string {
  return points.map((point, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(point.nav).toFixed(1)}`).join("");
}

export function Sparkline({ points }: { points: NavPoint[] }) {
  if (points.length < 2) return null;
  const first = points[0] as NavPoint;
  const last = points[points.length - 1] as NavPoint;
  const drawn = scale(points, 120, 36, [3, 3, 3, 3]);
  return (
    <svg class={`spark ${toneOf(last.nav - first.nav)}`} viewBox="0 0 120 36" aria-hidden="true">
      <path d={path(points, drawn)} />
    </svg>
  );
}

/** The width of an element in pixels. A drawing of that width is not scaled, so that its labels stay readable on a phone. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(MOST_WIDTH);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, Math.round(entry.contentRect.width)))));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return { frame, width };
}

export function Line({ points, label }: { points: NavPoint[]; label: string }) {
  const { language, texts } = usePage();
  const [chosen, setChosen] = useState<number | null>(null);
  const { frame, width } = useWidth();
  const height = Math.max(LEAST_HEIGHT, Math.round(width * HEIGHT_SHARE));
  const first = points[0] as NavPoint;
  const last = points[points.length - 1] as NavPoint;
  const drawn = scale(points, width, height, [TOP, RIGHT, BOTTOM, LEFT]);
  const line = path(points, drawn);
  const floor = height - BOTTOM;
  const at = Math.min(chosen ?? points.length - 1, points.length - 1);
  const point = points[at] as NavPoint;

  const walk = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(points.length - 1, next)));
  };
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * width;
    const step = Math.round(((share - LEFT) / (width - LEFT - RIGHT)) * (points.length - 1));
    setChosen(Math.max(0, Math.min(points.length - 1, step)));
  };

  return (
    <figure ref={frame} class={`line ${toneOf(last.nav - first.nav)}`}>
      <figcaption aria-live="polite">
        <strong>{formatNumber(point.nav, language, 4)}</strong> {texts.baht}
        <span>{formatDay(point.date, language)}</span>
        {point.changePercent != null && <span class={toneOf(point.changePercent)}>{formatPercent(point.changePercent, language)}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
        tabindex={0}
        onKeyDown={walk}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setChosen(null)}
      >
        <defs>
          <linearGradient id="under" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" class="from" />
            <stop offset="1" class="to" />
          </linearGradient>
        </defs>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => {
          const nav = drawn.low + (drawn.high - drawn.low) * share;
          const y = drawn.y(nav);
          return (
            <g key={share} class="grid">
              <line x1={LEFT} x2={width - RIGHT} y1={y} y2={y} />
              <text x={width - RIGHT + 6} y={y + 4}>{formatNumber(nav, language, 2)}</text>
            </g>
          );
        })}
        <path class="area" d={`${line}L${drawn.x(points.length - 1)} ${floor}L${LEFT} ${floor}Z`} />
        <path class="stroke" d={line} />
        <text class="tick" x={LEFT} y={height - 6}>{formatDay(first.date, language)}</text>
        <text class="tick end" x={width - RIGHT} y={height - 6}>{formatDay(last.date, language)}</text>
        <line class="cross" x1={drawn.x(at)} x2={drawn.x(at)} y1={TOP} y2={floor} />
        <circle class="dot" cx={drawn.x(at)} cy={drawn.y(point.nav)} r="4" />
      </svg>
    </figure>
  );
}
