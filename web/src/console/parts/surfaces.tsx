// What content stands on: pages, cards, figures, badges, bars.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface Held {
  children?: ComponentChildren;
}

/** The head of a page; also names the browser's tab. */
export function PageHead({ title, lead, children }: Held & { title: string; lead?: string }) {
  useEffect(() => {
    document.title = `${title} · Sanya`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}

export function Card({ title, aside, children, wide }: Held & { title?: string; aside?: ComponentChildren; wide?: boolean }) {
  return (
    <section class={wide ? "card wide" : "card"}>
      {(title || aside) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {aside && <div class="card-aside">{aside}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export type Tone = "plain" | "good" | "note" | "bad" | "brand";

export function Badge({ tone = "plain", title, children }: Held & { tone?: Tone; title?: string }) {
  return (
    <span class={tone === "plain" ? "badge" : `badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A share of something, from 0 to 1. `busy` moves where no share is known. */
export function Bar({ value, label, tone = "brand" }: { value: number | null; label: string; tone?: Tone }) {
  const percent = value === null ? null : Math.round(Math.max(0, Math.min(1, value)) * 100);
  return (
    <div
      class={`bar${tone === "plain" ? "" : ` ${tone}`}${percent === null ? " busy" : ""}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      <i style={percent === null ? {} : { width: `${percent}%` }} />
    </div>
  );
}

export function Facts({ facts }: { facts: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A small line over the last runs; says its first and last value to who cannot see it. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  if (values.length === 0) return null;
  const low = Math.min(...values);
  const spread = Math.max(...values) - low;
  const at = (step: number) => 3 + (step / Math.max(values.length - 1, 1)) * 94;
  const height = (value: number) => (spread === 0 ? 14 : 25 - ((value - low) / spread) * 20);
  const points = values.map((value, step) => `${at(step).toFixed(1)},${height(value).toFixed(1)}`).join(" ");
  const last = values[values.length - 1] as number;
  return (
    <svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="xMinYMid" role="img" aria-label={label}>
      {values.length > 1 && <polyline points={points} />}
      <circle cx={at(values.length - 1)} cy={height(last)} r="2.6" />
    </svg>
  );
}
