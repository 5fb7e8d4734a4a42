import { NOTHING, number, percent, tone } from "../format";
import { type Figure, figure, type Nulls } from "../funds";
import { usePage } from "../page";
import { isWord } from "../words";

/** A return: coloured, signed, and with the reason where there is none. */
export function Return({ value, nulls, name }: { value: Figure; nulls?: Nulls | undefined; name?: string }) {
  const { language } = usePage();
  if (figure(value) === null) return <Unknown nulls={nulls} name={name} />;
  return <span class={`figure ${tone(value)}`}>{percent(value, language)}</span>;
}

export function Amount({ value, digits = 4, nulls, name }: { value: Figure; digits?: number; nulls?: Nulls | undefined; name?: string }) {
  const { language } = usePage();
  if (figure(value) === null) return <Unknown nulls={nulls} name={name} />;
  return <span class="figure">{number(value, language, digits)}</span>;
}

function Unknown({ nulls, name }: { nulls?: Nulls | undefined; name?: string | undefined }) {
  const { words } = usePage();
  const reason = (name && nulls?.[name]) || "unknown";
  const told = isWord(reason) ? words[reason] : reason;
  return (
    <span class="unknown" title={told}>
      <span aria-hidden="true">{NOTHING}</span>
      <span class="aside">{told}</span>
    </span>
  );
}

const MOST_RISK = 8;

export function Risk({ level }: { level: number }) {
  const { words } = usePage();
  const known = Math.max(1, Math.min(MOST_RISK, Math.round(level)));
  return (
    <span class="risk" role="img" aria-label={`${words.risk} ${known}/${MOST_RISK}`} data-level={known}>
      {Array.from({ length: MOST_RISK }, (_, at) => (
        <i key={at} class={at < known ? "on" : ""} />
      ))}
      <b aria-hidden="true">{known}</b>
    </span>
  );
}
