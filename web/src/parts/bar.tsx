import { type Figure, asNumber } from "../funds";

interface Scale {
  zero: number;
  full: number;
}

/** Computes the position of zero in percent and the value range, so that all values fit. */
export function barScale(values: number[]): Scale {
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  return { zero: (-low / span) * 100, full: span };
}

export function Bar({ value, scale, kind }: { value: Figure; scale: Scale; kind: string }) {
  const known = asNumber(value) ?? 0;
  const share = (Math.abs(known) / scale.full) * 100;
  const left = known < 0 ? scale.zero - share : scale.zero;
  return (
    <span class={`bar ${kind} ${known < 0 ? "down" : "up"}`} aria-hidden="true">
      <i style={{ width: `${share}%`, left: `${left}%` }} />
    </span>
  );
}
