import { UNKNOWN, formatNumber, formatPercent, toneOf } from "../format";
import { type Figure, asNumber, type Nulls } from "../funds";
import { usePage } from "../page";
import { isTextKey } from "../texts";

/** A signed, coloured return, or the reason why it is unknown. */
export function Return({ value, nulls, name }: { value: Figure; nulls?: Nulls | undefined; name?: string }) {
  const { language } = usePage();
  if (asNumber(value) === null) return <Unknown nulls={nulls} name={name} />;
  return <span class={`figure ${toneOf(value)}`}>{formatPercent(value, language)}</span>;
}

export function Amount({ value, digits = 4, nulls, name }: { value: Figure; digits?: number; nulls?: Nulls | undefined; name?: string }) {
  const { language } = usePage();
  if (asNumber(value) === null) return <Unknown nulls={nulls} name={name} />;
  return <span class="figure">{formatNumber(value, language, digits)}</span>;
}

function Unknown({ nulls, name }: { nulls?: Nulls | undefined; name?: string | undefined }) {
  const { texts } = usePage();
  const reason = (name && nulls?.[name]) || "unknown";
  const reasonText = isTextKey(reason) ? texts[reason] : reason;
  return (
    <span class="unknown" title={reasonText}>
      <span aria-hidden="true">{UNKNOWN}</span>
      <span class="aside">{reasonText}</span>
    </span>
  );
}

const FRESH_DAYS = 7;
const DAY = 86_400_000;

/** The age of a NAV in days, if it is older than a week. */
export function Age({ day }: { day: string | null | undefined }) {
  const { texts, language } = usePage();
  const moment = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  const age = Math.floor((Date.now() - moment) / DAY);
  if (!(age > FRESH_DAYS)) return null;
  return (
    <span class="unknown">
      {" "}
      ({new Intl.NumberFormat(language).format(age)} {texts.daysOld})
    </span>
  );
}

const MOST_RISK = 8;

export function Risk({ level }: { level: number }) {
  const { texts } = usePage();
  const known = Math.max(1, Math.min(MOST_RISK, Math.round(level)));
  return (
    <span class="risk" role="img" aria-label={`${texts.risk} ${known}/${MOST_RISK}`} data-level={known}>
      {Array.from({ length: MOST_RISK }, (_, at) => (
        <i key={at} class={at < known ? "on" : ""} />
      ))}
      <b aria-hidden="true">{known}</b>
    </span>
  );
}
