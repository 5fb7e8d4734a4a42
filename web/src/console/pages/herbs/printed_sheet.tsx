// The safety check on one sheet of paper: what was asked, every pair, what to do, and where it is written.
import { formatDateTime } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { SeverityBadge } from "./badges";
import { type NameOf, type SourceReference, useNames } from "./labels";
import { MatrixRows } from "./matrix";
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
  const shown = chooseWarnings(asked.length ? asked : answer.results);
  const references = new Map(answer.references.map((reference) => [reference.id, reference]));
  const cited = [...new Set(shown.flatMap((warning) => citedBy(warning, references)))].slice(0, MOST_SOURCES);
  return (
    <section class="print-only sheet" aria-hidden="true" style={{ zoom: chooseZoom(shown.length) }}>
      <p class="sheet-head">
        <strong>{texts.safety} · Sanya</strong> <span>{formatDateTime(new Date().toISOString(), language)}</span>
      </p>
      {answer.unresolved.length > 0 && (
        <p class="sheet-unresolved">
          <strong>{texts.unresolved}:</strong> {answer.unresolved.map((entry) => entry.given).join(", ")}
        </p>
      )}
      <div class="sheet-matrix">
        <h2>{texts.pairs}</h2>
        <table>
          <MatrixRows pairs={answer.pairs} />
        </table>
      </div>
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
                {nameMembers(warning, nameOf)}
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

/** How much smaller the sheet is set the more rows it has, so that it stays on one page and can still be read. */
function chooseZoom(rows: number): string {
  if (rows <= 10) return "1";
  return rows <= MOST_WARNINGS ? "0.92" : "0.84";
}

/** The things asked about that a warning covers: `drug:warfarin (class)` names warfarin by its class. */
function listCovered(warning: Warning): { id: string; isItself: boolean }[] {
  return warning.matched.map((match) => ({ id: match.replace(/ \(.*\)$/, ""), isItself: match.endsWith("(itself)") }));
}

/** Chooses the warnings that fit: the strongest of every pair first, so that no cell of the matrix stays unexplained. */
function chooseWarnings(warnings: Warning[]): Warning[] {
  const explained = new Set<string>();
  const firsts = warnings.filter((warning) => {
    const pairs = listCovered(warning).map(({ id }) => `${warning.entity_id} ${id}`);
    const isFirst = pairs.some((pair) => !explained.has(pair));
    for (const pair of pairs) explained.add(pair);
    return isFirst;
  });
  const most = Math.max(MOST_WARNINGS, firsts.length);
  const chosen = new Set([...new Set([...firsts, ...warnings])].slice(0, most));
  return warnings.filter((warning) => chosen.has(warning));
}

/** Names the medicines that were asked for where a warning speaks of their class: " (warfarin)". */
function nameMembers(warning: Warning, nameOf: NameOf): string {
  const members = listCovered(warning).filter(({ isItself }) => !isItself);
  const names = members.map(({ id }) => nameOf(id)).filter(Boolean);
  return names.length ? ` (${names.join(", ")})` : "";
}

function citedBy(warning: Warning, references: ReadonlyMap<string, SourceReference>): string[] {
  return warning.sources.filter((id) => references.has(id)).slice(0, SOURCES_EACH);
}

/** The host of an address: nobody types a long address from paper, and the title finds the page there. */
function nameHost(url: string | null): string {
  return url && URL.canParse(url) ? new URL(url).host : "";
}

function nameSource(reference: SourceReference | undefined): string {
  if (!reference) return "";
  return [reference.title ?? reference.id, reference.year === null ? "" : `(${reference.year})`, nameHost(reference.url)].filter(Boolean).join(" ");
}
