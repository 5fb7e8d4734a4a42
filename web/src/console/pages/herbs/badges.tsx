// Badges for severity, strength and review state, and the sources of a statement.
import { useTexts } from "../../language";
import { Badge, type Tone } from "../../parts";
import { type SourceReference, useSources } from "./labels";
import type { Severity } from "./warnings";
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

export function isSeverity(value: string | null): value is Severity {
  return value === "contraindicated" || value === "major" || value === "moderate" || value === "minor";
}

/** Shows the severity. A warning without one shows its strength. */
export function SeverityBadge({ value, strength }: { value: string | null; strength: string }) {
  const texts = useTexts(HERBS);
  if (!isSeverity(value)) return <Strength value={strength} />;
  return <span class={`badge severity ${value}`}>{texts[`s_${value}`]}</span>;
}

export function Review({ value, note }: { value: string; note?: string | null | undefined }) {
  const texts = useTexts(HERBS);
  if (value !== "reviewed" && value !== "needs_review" && value !== "unreviewed") return null;
  return (
    <Badge tone={value === "reviewed" ? "good" : "note"} {...(note ? { title: note } : {})}>
      {texts[value]}
    </Badge>
  );
}

function Sources({ ids }: { ids: string[] }) {
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

const REFERENCES_SHOWN = 3;

/** Lists sources by title with their addresses. Sources that the answer does not describe are listed by id. */
export function References({ ids, references }: { ids: string[]; references: ReadonlyMap<string, SourceReference> }) {
  const texts = useTexts(HERBS);
  const described = ids.flatMap((id) => references.get(id) ?? []);
  const others = ids.filter((id) => !references.has(id));
  const rest = described.slice(REFERENCES_SHOWN);
  const list = (shown: SourceReference[]) => (
    <ul>
      {shown.map((reference) => (
        <li key={reference.id}>
          <Reference reference={reference} />
        </li>
      ))}
    </ul>
  );
  return (
    <div class="references">
      {described.length > 0 && <span>{texts.sources}</span>}
      {described.length > 0 && list(described.slice(0, REFERENCES_SHOWN))}
      {rest.length > 0 && (
        <details>
          <summary>{texts.moreSources.replace("{n}", String(rest.length))}</summary>
          {list(rest)}
        </details>
      )}
      <Sources ids={others} />
    </div>
  );
}

/** Lists sources of which only the ids are known, by the titles that the server has for them. */
export function NamedSources({ ids }: { ids: string[] }) {
  return <References ids={ids} references={useSources(ids)} />;
}

export function Reference({ reference }: { reference: SourceReference }) {
  const texts = useTexts(HERBS);
  const name = `${reference.title ?? reference.id}${reference.year === null ? "" : ` (${reference.year})`}`;
  if (reference.url && /^https?:\/\//i.test(reference.url)) {
    return (
      <a href={reference.url} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
    );
  }
  return (
    <>
      {name} <span class="dim">· {texts.noAddress}</span>
    </>
  );
}
