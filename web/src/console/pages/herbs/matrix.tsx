// The verdict on every pair of the request: herbs and formulations as rows, drugs and conditions as columns.
import { useTexts } from "../../language";
import { Card, type FileRow, SavedTable } from "../../parts";
import { isSeverity } from "./badges";
import { useNames } from "./labels";
import type { PairVerdict } from "./warnings";
import { HERBS } from "./texts";

interface Heading {
  key: string;
  given: string;
  /** What the name was read as. Empty if it was not understood. */
  ids: string[];
}

/** Shows an id without its type. */
export function shortId(id: string): string {
  return id.replace(/^(drug|condition):/, "");
}

/** Lists the headings once each. A name without an id has no row of its own where the same name has an id elsewhere. */
function listHeadings(pairs: PairVerdict[], read: (pair: PairVerdict) => Omit<Heading, "key">): Heading[] {
  const headings = new Map<string, Heading>();
  for (const pair of pairs) {
    const { given, ids } = read(pair);
    const key = `${given} ${ids.join(" ")}`;
    headings.set(key, { key, given, ids });
  }
  const understood = new Set([...headings.values()].filter((heading) => heading.ids.length > 0).map((heading) => heading.given));
  return [...headings.values()].filter((heading) => heading.ids.length > 0 || !understood.has(heading.given));
}

const readEntity = (pair: PairVerdict) => ({ given: pair.entity, ids: pair.entity_id === null ? [] : [pair.entity_id] });
const readObject = (pair: PairVerdict) => ({ given: pair.object, ids: pair.object_ids });

function findPair(pairs: PairVerdict[], row: Heading, column: Heading): PairVerdict | undefined {
  const named = pairs.filter((pair) => pair.entity === row.given && pair.object === column.given);
  const exact = named.find((pair) => pair.entity_id === (row.ids[0] ?? null) && pair.object_ids.join(" ") === column.ids.join(" "));
  // An ambiguous name has one row for each meaning, but a single verdict beside a name that was not understood.
  return exact ?? named.find((pair) => pair.verdict === "not_checked");
}

export function Matrix({ pairs }: { pairs: PairVerdict[] }) {
  const texts = useTexts(HERBS);
  return (
    <Card title={texts.pairs}>
      <SavedTable label={texts.pairs} file="pairs" rows={() => pairs.map(toFileRow)} frameClass="matrix">
        <MatrixRows pairs={pairs} />
      </SavedTable>
      <details class="sentences">
        <summary>{texts.inSentences}</summary>
        <ul>
          {[...new Set(pairs.map((pair) => pair.message))].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

function toFileRow({ entity, entity_id, object, object_ids, verdict, severity, message }: PairVerdict): FileRow {
  return { entity, entity_id, object, object_ids: object_ids.join(" "), verdict, severity, message };
}

export function MatrixRows({ pairs }: { pairs: PairVerdict[] }) {
  const ambiguous = new Set(pairs.filter((pair) => pair.is_ambiguous && pair.entity_id !== null).map((pair) => pair.entity));
  const rows = listHeadings(pairs, readEntity);
  const columns = listHeadings(pairs, readObject);
  return (
    <>
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <th key={column.key} scope="col">
              <Name heading={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <Name heading={row} withIds={ambiguous.has(row.given)} />
            </th>
            {columns.map((column) => (
              <Cell key={column.key} pair={findPair(pairs, row, column)} />
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

/** The name in the reader's language, and below it the name that was given if it is another. Ids tell the plants of an ambiguous name apart. */
function Name({ heading, withIds = false }: { heading: Heading; withIds?: boolean }) {
  const nameOf = useNames();
  const names = heading.ids.map((id) => nameOf(id) ?? shortId(id));
  const given = shortId(heading.given);
  const shown = names.join(", ") || given;
  return (
    <>
      <span>{shown}</span>
      {given !== shown && !heading.ids.includes(heading.given) && <small>{given}</small>}
      {withIds && heading.ids.map((id) => <small key={id}>{shortId(id)}</small>)}
    </>
  );
}

function Cell({ pair }: { pair: PairVerdict | undefined }) {
  const texts = useTexts(HERBS);
  if (pair?.verdict === "warned") {
    return (
      <td class={`verdict ${isSeverity(pair.severity) ? pair.severity : "moderate"}`} title={pair.message}>
        <span>{isSeverity(pair.severity) ? texts[`s_${pair.severity}`] : texts.v_warned}</span>
      </td>
    );
  }
  if (pair?.verdict === "no_warning_recorded") {
    return (
      <td class="verdict silent" title={pair.message}>
        <span>{texts.v_no_warning_recorded}</span>
      </td>
    );
  }
  return (
    <td class="verdict not-checked" title={pair?.message}>
      <span>{texts.v_not_checked}</span>
    </td>
  );
}
