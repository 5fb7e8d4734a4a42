// Badges of a statement: severity, evidence and state.
import { useTexts } from "../../language";
import { Badge, type Tone } from "../../parts";
import type { Evidence, QueueState, Severity } from "./statements";
import { REVIEW } from "./texts";

const TONES: Record<QueueState, Tone> = { open: "note", outdated: "bad", accepted: "good", corrected: "brand", rejected: "plain", reviewed: "good", unreviewed: "note" };

export function SeverityBadge({ value }: { value: Severity }) {
  const texts = useTexts(REVIEW);
  return <span class={`badge severity ${value}`}>{texts[`s_${value}`]}</span>;
}

export function EvidenceBadge({ value }: { value: Evidence | null }) {
  const texts = useTexts(REVIEW);
  return <Badge tone={value === "official" ? "brand" : "plain"}>{value ? texts[`e_${value}`] : texts.e_none}</Badge>;
}

export function StateBadge({ value }: { value: QueueState }) {
  const texts = useTexts(REVIEW);
  return <Badge tone={TONES[value]}>{texts[`st_${value}`]}</Badge>;
}
