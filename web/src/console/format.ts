// Formats numbers, times and durations for each language.
import type { Language } from "./language";

// Thai readers count years in the Buddhist era; digits stay Latin, as in every figure of the pages.
const locale = (language: Language) => (language === "th" ? "th-TH-u-ca-buddhist-nu-latn" : "en-GB");

export function formatCount(value: number, language: Language): string {
  return value.toLocaleString(locale(language));
}

export function formatDateTime(iso: string, language: Language): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString(locale(language), { dateStyle: "medium", timeStyle: "medium" });
}

export function formatDay(iso: string, language: Language): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleDateString(locale(language), { dateStyle: "medium" });
}

/** A time to the minute: seconds say nothing about a task or a week. */
export function formatMinute(iso: string, language: Language): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleString(locale(language), { dateStyle: "medium", timeStyle: "short" });
}

/** A date or a time as exact as it is known: 2025, 2025-10, 2025-10-02, or with an hour. */
export function formatKnown(text: string, language: Language): string {
  if (/^\d{4}$/.test(text)) return formatYear(Number(text), language);
  if (/^\d{4}-\d{2}$/.test(text)) return formatMonth(text, language);
  return text.length === 10 ? formatDay(text, language) : formatMinute(text, language);
}

/** A year as readers of the language write it: 2026 or 2569. */
export function formatYear(year: number, language: Language): string {
  return String(language === "th" ? year + 543 : year);
}

/** A month of a date, or of a date whose day is not known: 2025-10. */
export function formatMonth(iso: string, language: Language): string {
  const at = new Date(/^\d{4}-\d{2}$/.test(iso) ? `${iso}-01T00:00` : iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleDateString(locale(language), { month: "short", year: "numeric" });
}

export function formatTime(iso: string | number, language: Language): string {
  return new Date(iso).toLocaleTimeString(locale(language), { hour: "2-digit", minute: "2-digit" });
}

export function formatBytes(value: number, language: Language): string {
  if (value < 1024) return `${formatCount(value, language)} B`;
  const [size, unit] = value < 1024 ** 2 ? [value / 1024, "KB"] : [value / 1024 ** 2, "MB"];
  return `${size.toLocaleString(locale(language), { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
}

export function formatNumber(value: number, language: Language, digits = 2): string {
  return value.toLocaleString(locale(language), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

export function formatRelative(iso: string, language: Language): string {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) > 30 * 86_400) return formatDay(iso, language);
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(locale(language), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

export function formatDuration(value: number, language: Language): string {
  if (value < 1000) return `${formatCount(Math.round(value), language)} ms`;
  return `${(value / 1000).toLocaleString(locale(language), { maximumFractionDigits: 1 })} s`;
}

export function formatPercent(value: number, language: Language): string {
  return value.toLocaleString(locale(language), { style: "percent", maximumFractionDigits: 1 });
}

/** Shortens a hash to its start. */
export function shorten(hash: string, length = 12): string {
  return hash.length > length ? `${hash.slice(0, length)}…` : hash;
}
