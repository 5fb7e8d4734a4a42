// Warnings as tool.find_contraindications gives them: the strongest first, each with what it rests on.
import { useState } from "preact/hooks";
import { useWords } from "../../language";
import { Badge } from "../../parts";
import { Review, Sources, Strength } from "./marks";
import { HERBS } from "./words";

export interface Statement {
  id: string;
  text: string;
  evidence: string;
  strength: string;
  basis: string;
  review: string;
  note: string | null;
  sources: string[];
  via: string | null;
  stated_for: string | null;
}

export interface Warning {
  entity_id: string;
  contraindication: string;
  evidence: string;
  strength: string;
  object_id: string;
  object_type: "drug" | "condition";
  basis: string;
  review: string;
  sources: string[];
  via: string[];
  matched: string[];
  statements: Statement[];
}

export interface Checked {
  results: Warning[];
  unknown_ids: string[];
  unresolved: { given: string; field: string; reason: "unknown" | "ambiguous"; candidates: { id: string; label: string }[] }[];
  coverage: { entity_id: string; status: "recorded" | "inherited_only" | "none"; own: number; inherited: number; silent_ingredients: string[]; unidentified_ingredients: string[]; note: string | null }[];
  total: number;
  notice: string;
}

export function Warnings({ warnings, most, named }: { warnings: Warning[]; most: number; named: boolean }) {
  const words = useWords(HERBS);
  const [all, setAll] = useState(false);
  const shown = all ? warnings : warnings.slice(0, most);
  return (
    <>
      <ul class="warnings">
        {shown.map((warning) => (
          <OneWarning key={`${warning.entity_id} ${warning.object_id}`} warning={warning} named={named} />
        ))}
      </ul>
      {shown.length < warnings.length && (
        <button type="button" onClick={() => setAll(true)}>
          {words.more.replace("{n}", String(warnings.length))}
        </button>
      )}
    </>
  );
}

function OneWarning({ warning, named }: { warning: Warning; named: boolean }) {
  const words = useWords(HERBS);
  return (
    <li class={`warning ${warning.strength}`}>
      <p class="row">
        <strong>
          {named && <span class="dim">{warning.entity_id} + </span>}
          {warning.contraindication}
        </strong>
        <Strength value={warning.strength} />
        <Review value={warning.review} />
        <Badge>{words[warning.object_type]}</Badge>
      </p>
      {warning.evidence && <p>{warning.evidence}</p>}
      {warning.via.length > 0 && (
        <small>
          {words.via} {warning.via.join(", ")}
        </small>
      )}
      <details>
        <summary>
          {words.evidence} ({warning.statements.length})
        </summary>
        <ul class="statements">
          {warning.statements.map((one) => (
            <li key={one.id}>
              <p class="row">
                <Strength value={one.strength} />
                <Review value={one.review} note={one.note} />
                <small>
                  {words.basis} {one.basis}
                </small>
              </p>
              <p>{[one.text, one.evidence].filter(Boolean).join(": ")}</p>
              {one.note && <p class="dim">{one.note}</p>}
              {one.stated_for && (
                <small>
                  {words.statedFor} {one.stated_for}{" "}
                </small>
              )}
              <Sources ids={one.sources} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
