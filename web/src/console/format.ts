// Numbers, times and sizes as each language writes them.
import type { Language } from "./language";

const locale = (language: Language) => (language === "th" ? "th-TH-u-ca-gregory-nu-latn" : "en-GB");

export function count(value: number, language: Language): string {
  return value.toLocaleString(locale(language));
}

export function moment(iso: string, language: Language): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString(locale(language), { dateStyle: "medium", timeStyle: "medium" });
}

export function day(iso: string, language: Language): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleDateString(locale(language), { dateStyle: "medium" });
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

export function ago(iso: string, language: Language): string {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) > 30 * 86_400) return day(iso, language);
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(locale(language), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

export function milliseconds(value: number, language: Language): string {
  if (value < 1000) return `${count(Math.round(value), language)} ms`;
  return `${(value / 1000).toLocaleString(locale(language), { maximumFractionDigits: 1 })} s`;
}

export function share(value: number, language: Language): string {
  return value.toLocaleString(locale(language), { style: "percent", maximumFractionDigits: 1 });
}

/** The start of a hash: enough to tell two apart. */
export function short(hash: string, length = 12): string {
  return hash.length > length ? `${hash.slice(0, length)}…` : hash;
}
