// Page headers, cards, badges, bars and fact lists.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useTexts } from "../language";
import { SHELL } from "../texts";
import { rememberVisit, toggleSaved, useSaved } from "../visits";
import { Icon } from "./icon";

interface WithChildren {
  children?: ComponentChildren;
}

/** The page header; also sets the document title, remembers the visit and lets the view be saved. */
export function PageHead({ title, lead, children }: WithChildren & { title: string; lead?: ComponentChildren }) {
  const { hash } = location;
  useEffect(() => {
    document.title = `${title} · Sanya`;
    rememberVisit(nameView(title));
  }, [title, hash]);
  return (
    <header class="page-head">
      <div>
        <div class="title-row">
          <h1 tabIndex={-1}>{title}</h1>
          <SaveView title={title} />
        </div>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}

function SaveView({ title }: { title: string }) {
  const texts = useTexts(SHELL);
  const { hash } = location;
  const isSaved = useSaved().some((view) => view.address === hash);
  if (!hash || hash === "#/" || hash === "#/home") return null;
  return (
    <button type="button" class="quiet star" aria-pressed={isSaved} title={isSaved ? texts.saved : texts.save} aria-label={texts.save} onClick={() => toggleSaved(nameView(title), hash)}>
      <Icon name="star" />
    </button>
  );
}

/** The title with the values of the address, so that two searches have two names. */
function nameView(title: string): string {
  const values = [...new URLSearchParams(location.hash.split("?")[1] ?? "").values()].filter(Boolean);
  return values.length ? `${title} · ${values.join(", ").replaceAll("|", ", ")}` : title;
}

export function Card({ title, aside, children, wide }: WithChildren & { title?: string; aside?: ComponentChildren; wide?: boolean }) {
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

export function Badge({ tone = "plain", title, children }: WithChildren & { tone?: Tone; title?: string }) {
  return (
    <span class={tone === "plain" ? "badge" : `badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A progress bar from 0 to 1; null shows an indeterminate bar. */
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

/** A sparkline with a text alternative. */
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
