// Warnings of tool.find_contraindications, in the order of the answer, each with what to do and its evidence.
import { useState } from "preact/hooks";
import { type Language, useLanguage, useTexts } from "../../language";
import { Badge, Facts } from "../../parts";
import { bases } from "../../../../../src/sanya/suites/herbs/facts/thai_terms.json";
import { References, Review, SeverityBadge } from "./badges";
import { type SourceReference, useNames, useSources } from "./labels";
import { HERBS, type HerbTexts } from "./texts";

export type Severity = "contraindicated" | "major" | "moderate" | "minor";

export interface Candidate {
  id: string;
  label: string;
}

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
  severity: Severity | null;
  evidence_kind: string | null;
  effect: string | null;
  mechanism: string | null;
  management: string | null;
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
  severity: Severity | null;
  effect: string | null;
  management: string | null;
  narrowed: boolean;
  /** Ids of statements that an earlier warning of the same entity has in full. */
  repeats: string[];
}

export interface PairVerdict {
  entity: string;
  entity_id: string | null;
  object: string;
  object_ids: string[];
  verdict: "warned" | "no_warning_recorded" | "not_checked";
  severity: Severity | null;
  is_ambiguous: boolean;
  candidates: Candidate[];
  message: string;
}

export interface SafetyAnswer {
  results: Warning[];
  unknown_ids: string[];
  unresolved: { given: string; field: string; reason: "unknown" | "ambiguous"; candidates: Candidate[]; message: string }[];
  coverage: { entity_id: string; label: string; status: "recorded" | "inherited_only" | "none"; own: number; inherited: number; silent_ingredients: string[]; unidentified_ingredients: string[]; note: string | null }[];
  total: number;
  notice: string;
  summary: string;
  pairs: PairVerdict[];
  references: SourceReference[];
}

/** Lists the ids of the nodes by which, and for which, the warnings are stated. */
export function listMentioned(warnings: Warning[]): string[] {
  return warnings.flatMap((warning) => [...warning.via, ...warning.statements.flatMap((statement) => [statement.via, statement.stated_for].filter((id) => id !== null))]);
}

interface WarningsProps {
  answer: SafetyAnswer;
  /** Those of the answer's results to show. */
  warnings: Warning[];
  most: number;
  /** Names of the entities by id, to be shown with each warning. */
  names?: ReadonlyMap<string, string>;
}

export function Warnings({ answer, warnings, most, names }: WarningsProps) {
  const texts = useTexts(HERBS);
  const [all, setAll] = useState(false);
  const shown = all ? warnings : warnings.slice(0, most);
  const known = new Set(answer.references.map((reference) => reference.id));
  const others = useSources(listSources(warnings).filter((id) => !known.has(id)));
  const references = new Map([...others, ...answer.references.map((reference): [string, SourceReference] => [reference.id, reference])]);
  const statements = new Map(answer.results.flatMap((warning) => warning.statements.map((statement) => [`${warning.entity_id} ${statement.id}`, statement])));
  return (
    <>
      <ul class="warnings">
        {shown.map((warning) => (
          <WarningItem
            key={`${warning.entity_id} ${warning.object_id}`}
            warning={warning}
            statements={[...warning.statements, ...warning.repeats.flatMap((id) => statements.get(`${warning.entity_id} ${id}`) ?? [])]}
            references={references}
            name={names && (names.get(warning.entity_id) ?? warning.entity_id)}
          />
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

interface WarningItemProps {
  warning: Warning;
  statements: Statement[];
  references: ReadonlyMap<string, SourceReference>;
  name: string | undefined;
}

function listSources(warnings: Warning[]): string[] {
  return warnings.flatMap((warning) => [...warning.sources, ...warning.statements.flatMap((statement) => statement.sources)]);
}

function WarningItem({ warning, statements, references, name }: WarningItemProps) {
  const texts = useTexts(HERBS);
  const nameOf = useNames();
  const leading = statements.find((statement) => statement.severity === warning.severity && statement.effect === warning.effect);
  const kind = leading && nameKind(leading.evidence_kind, texts);
  const facts: [string, string][] = [
    [texts.effect, warning.effect ?? warning.evidence],
    [texts.management, warning.management ?? ""],
    [texts.evidenceKind, kind ?? ""],
    [texts.via, warning.via.map((id) => nameOf(id) ?? id).join(", ")],
  ];
  return (
    <li class={`warning ${warning.severity ?? warning.strength}`}>
      <p class="row">
        <strong>
          {name && <span class="dim">{name} + </span>}
          {warning.contraindication}
        </strong>
        <SeverityBadge value={warning.severity} strength={warning.strength} />
        {warning.review !== "reviewed" && <Review value={warning.review} note={leading?.note} />}
        <Badge>{texts[warning.object_type]}</Badge>
      </p>
      <Facts facts={facts.filter(([, value]) => value !== "")} />
      <References ids={warning.sources} references={references} />
      <details>
        <summary>
          {texts.evidence} ({statements.length})
        </summary>
        <ul class="statements">
          {statements.map((statement) => (
            <StatementItem key={statement.id} statement={statement} references={references} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function StatementItem({ statement, references }: { statement: Statement; references: ReadonlyMap<string, SourceReference> }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const nameOf = useNames();
  const kind = nameKind(statement.evidence_kind, texts);
  return (
    <li>
      <p class="row">
        <SeverityBadge value={statement.severity} strength={statement.strength} />
        <Review value={statement.review} note={statement.note} />
        {kind && <small>{kind}</small>}
        <small>
          {texts.basis} {nameBasis(statement.basis, language)}
        </small>
      </p>
      <p>{[statement.text, statement.evidence].filter(Boolean).join(": ")}</p>
      {statement.management && <p>{statement.management}</p>}
      {statement.note && <p class="dim">{statement.note}</p>}
      {statement.via && (
        <small>
          {texts.via} {nameOf(statement.via) ?? statement.via}{" "}
        </small>
      )}
      {statement.stated_for && (
        <small>
          {texts.statedFor} {nameOf(statement.stated_for) ?? statement.stated_for}{" "}
        </small>
      )}
      <References ids={statement.sources} references={references} />
    </li>
  );
}

/** Names a kind of evidence, or returns it as it is if it has no text. */
function nameKind(kind: string | null, texts: HerbTexts): string | null {
  return kind && ((texts as Record<string, string>)[`k_${kind}`] ?? kind);
}

/** Names on what a statement's severity rests, by the same words as the answers in Thai. */
function nameBasis(basis: string, language: Language): string {
  return (language === "th" && (bases as Record<string, string>)[basis]) || basis.replace(/^rule: /, "");
}
