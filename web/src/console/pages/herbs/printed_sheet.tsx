// The safety check on one sheet of paper: what was asked, every pair, what to do, and where it is written.
import { formatDateTime } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { SeverityBadge, type SourceReference } from "./badges";
import { useNames } from "./labels";
import { Matrix } from "./matrix";
import type { SafetyAnswer, Warning } from "./warnings";
import { HERBS } from "./texts";

// What fits on a page of A4 together with the matrix and the sources. The sheet says how many it leaves out.
const MOST_WARNINGS = 14;
const MOST_SOURCES = 16;
const SOURCES_EACH = 2;

export function PrintedSheet({ answer }: { answer: SafetyAnswer }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const nameOf = useNames();
  const asked = answer.results.filter((warning) => warning.narrowed);
  const shown = (asked.length ? asked : answer.results).slice(0, MOST_WARNINGS);
  const references = new Map(answer.references.map((reference) => [reference.id, reference]));
  const cited = [...new Set(shown.flatMap((warning) => citedBy(warning, references)))].slice(0, MOST_SOURCES);
  return (
    <section class="print-only sheet" aria-hidden="true">
      <p class="sheet-head">
        <strong>{texts.safety} · Sanya</strong> <span>{formatDateTime(new Date().toISOString(), language)}</span>
      </p>
      {answer.unresolved.length > 0 && (
        <p class="sheet-unresolved">
          <strong>{texts.unresolved}:</strong> {answer.unresolved.map((entry) => entry.given).join(", ")}
        </p>
      )}
      <Matrix pairs={answer.pairs} printed />
      <table class="sheet-warnings">
        <thead>
          <tr>
            <th>{texts.pair}</th>
            <th>{texts.severity}</th>
            <th>{texts.effect}</th>
            <th>{texts.management}</th>
            <th>{texts.sources}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((warning) => (
            <tr key={`${warning.entity_id} ${warning.object_id}`}>
              <td>
                {nameOf(warning.entity_id) ?? warning.entity_id} + {warning.contraindication}
              </td>
              <td>
                <SeverityBadge value={warning.severity} strength={warning.strength} />
              </td>
              <td>{warning.effect ?? warning.evidence}</td>
              <td>{warning.management ?? "–"}</td>
              <td>{citedBy(warning, references).filter((id) => cited.includes(id)).map((id) => cited.indexOf(id) + 1).join(", ") || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {answer.total > shown.length && <p>{texts.firstOnly.replace("{n}", String(shown.length)).replace("{total}", String(answer.total))}</p>}
      <ol class="sheet-sources">
        {cited.map((id) => (
          <li key={id}>{nameSource(references.get(id))}</li>
        ))}
      </ol>
      <p class="sheet-notice">{answer.notice}</p>
    </section>
  );
}

function citedBy(warning: Warning, references: ReadonlyMap<string, SourceReference>): string[] {
  return warning.sources.filter((id) => references.has(id)).slice(0, SOURCES_EACH);
}

function nameSource(reference: SourceReference | undefined): string {
  if (!reference) return "";
  return [reference.title ?? reference.id, reference.year === null ? "" : `(${reference.year})`, reference.url ?? ""].filter(Boolean).join(" ");
}
