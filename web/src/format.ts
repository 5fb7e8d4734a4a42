// Figures and days as people of each language write them; a Thai reader counts years by the Buddhist era.
import { type Figure, figure } from "./funds";
import type { Language } from "./words";

export const NOTHING = "–";
const LOCALES: Record<Language, string> = { en: "en-GB", th: "th-TH-u-ca-buddhist-nu-latn" };

export function number(value: Figure, language: Language, digits = 2): string {
  const known = figure(value);
  if (known === null) return NOTHING;
  return new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: Math.min(digits, 2),
    maximumFractionDigits: digits,
  }).format(known);
}

export function percent(value: Figure, language: Language): string {
  const known = figure(value);
  if (known === null) return NOTHING;
  const sign = known > 0 ? "+" : "";
  return `${sign}${number(known, language)} %`.replace("-", "−");
}

export function day(text: string | null | undefined, language: Language): string {
  const moment = text ? new Date(`${text}T00:00:00Z`) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return NOTHING;
  const parts = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(LOCALES[language], parts).format(moment);
}

export function tone(value: Figure): "up" | "down" | "flat" {
  const known = figure(value) ?? 0;
  return known > 0 ? "up" : known < 0 ? "down" : "flat";
}
