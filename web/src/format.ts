// Formats numbers and dates for each language. Thai dates use the Buddhist era.
import { type Figure, asNumber } from "./funds";
import type { Language } from "./texts";

export const UNKNOWN = "–";
const LOCALES: Record<Language, string> = { en: "en-GB", th: "th-TH-u-ca-buddhist-nu-latn" };

export function formatNumber(value: Figure, language: Language, digits = 2): string {
  const known = asNumber(value);
  if (known === null) return UNKNOWN;
  return new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: Math.min(digits, 2),
    maximumFractionDigits: digits,
  }).format(known);
}

export function formatPercent(value: Figure, language: Language): string {
  const known = asNumber(value);
  if (known === null) return UNKNOWN;
  const sign = known > 0 ? "+" : "";
  return `${sign}${formatNumber(known, language)} %`.replace("-", "−");
}

export function formatDay(text: string | null | undefined, language: Language): string {
  const moment = text ? new Date(`${text}T00:00:00Z`) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return UNKNOWN;
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(LOCALES[language], parts).format(moment);
}

export function toneOf(value: Figure): "up" | "down" | "flat" {
  const known = asNumber(value) ?? 0;
  return known > 0 ? "up" : known < 0 ? "down" : "flat";
}
