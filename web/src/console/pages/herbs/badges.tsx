// Badges for strength, review state and sources of a warning.
import { useTexts } from "../../language";
import { Badge, type Tone } from "../../parts";
import { HERBS } from "./texts";

const TONES: Record<string, Tone> = { high: "bad", moderate: "note", low: "plain" };

export function Strength({ value }: { value: string | null }) {
  const texts = useTexts(HERBS);
  if (value !== "high" && value !== "moderate" && value !== "low") return null;
  return (
    <Badge tone={TONES[value] ?? "plain"}>
      {texts.strength} {texts[value]}
    </Badge>
  );
}

export function Review({ value, note }: { value: string; note?: string | null }) {
  const texts = useTexts(HERBS);
  if (value !== "reviewed" && value !== "needs_review" && value !== "unreviewed") return null;
  return (
    <Badge tone={value === "reviewed" ? "good" : "note"} {...(note ? { title: note } : {})}>
      {texts[value]}
    </Badge>
  );
}

export function Sources({ ids }: { ids: string[] }) {
  const texts = useTexts(HERBS);
  if (ids.length === 0) return null;
  return (
    <small class="sources">
      {texts.sources}{" "}
      {ids.map((id) => {
        const pmid = /^pmid:(\d{1,8})$/.exec(id)?.[1];
        return pmid ? (
          <a key={id} href={`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`} target="_blank" rel="noopener noreferrer">
            {id}
          </a>
        ) : (
          <code key={id}>{id}</code>
        );
      })}
    </small>
  );
}
