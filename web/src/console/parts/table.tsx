// A table that scrolls by itself on a small screen, so that the page never does.
import type { ComponentChildren } from "preact";

export interface Column<Row> {
  name: string;
  title: string;
  show(row: Row): ComponentChildren;
  /** Figures stand to the right. */
  figure?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row, at: number): string | number;
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.figure ? "figure" : ""}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map((column) => (
                <td key={column.name} class={column.figure ? "figure" : ""}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
