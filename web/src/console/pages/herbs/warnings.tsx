// Warnings of tool.find_contraindications, strongest first, each with its evidence.
import { useState } from "preact/hooks";
import { useTexts } from "../../language";
import { Badge } from "../../parts";
import { Review, Sources, Strength } from "./badges";
import { HERBS } from "./texts";

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

export interface SafetyAnswer {
  results: Warning[];
  unknown_ids: string[];
  unresolved: { given: string; field: string; reason: "unknown" | "ambiguous"; candidates: { id: string; label: string }[] }[];
  coverage: { entity_id: string; status: "recorded" | "inherited_only" | "none"; own: number; inherited: number; silent_ingredients: string[]; unidentified_ingredients: string[]; note: string | null }[];
  total: number;
  notice: string;
}

export function Warnings({ warnings, most, named }: { warnings: Warning[]; most: number; named: boolean }) {
  const texts = useTexts(HERBS);
  const [all, setAll] = useState(false);
  const shown = all ? warnings : warnings.slice(0, most);
  return (
    <>
      <ul class="warnings">
        {shown.map((warning) => (
          <WarningItem key={`${warning.entity_id} ${warning.object_id}`} warning={warning} named={named} />
        ))}
      </ul>
      {shown.length < warnings.length && (
        <button type="button" onClick={() => setAll(true)}>
          {texts.more.replace("{n}", String(warnings.length))}
        </button>
      )}
    </>
  );
}

function WarningItem({ warning, named }: { warning: Warning; named: boolean }) {
  const texts = useTexts(HERBS);
  return (
    <li class={`warning ${warning.strength}`}>
      <p class="row">
        <strong>
          {named && <span class="dim">{warning.entity_id} + </span>}
          {warning.contraindication}
        </strong>
        <Strength value={warning.strength} />
        <Review value={warning.review} />
        <Badge>{texts[warning.object_type]}</Badge>
      </p>
      {warning.evidence && <p>{warning.evidence}</p>}
      {warning.via.length > 0 && (
        <small>
          {texts.via} {warning.via.join(", ")}
        </small>
      )}
      <details>
        <summary>
          {texts.evidence} ({warning.statements.length})
        </summary>
        <ul class="statements">
          {warning.statements.map((statement) => (
            <li key={statement.id}>
              <p class="row">
                <Strength value={statement.strength} />
                <Review value={statement.review} note={statement.note} />
                <small>
                  {texts.basis} {statement.basis}
                </small>
              </p>
              <p>{[statement.text, statement.evidence].filter(Boolean).join(": ")}</p>
              {statement.note && <p class="dim">{statement.note}</p>}
              {statement.stated_for && (
                <small>
                  {texts.statedFor} {statement.stated_for}{" "}
                </small>
              )}
              <Sources ids={statement.sources} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
