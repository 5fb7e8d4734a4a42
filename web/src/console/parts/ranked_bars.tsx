// Horizontal bars with their names, longest first as given: one value for each row, or parts that add up.
import { useRef } from "preact/hooks";
import { useWidth } from "./chart";
import { SavedDrawing } from "./exports";

export interface BarPart {
  name: string;
  /** The number of its colour, 0 to 5, or a tone. */
  colour: number | "good" | "bad";
}

export interface BarRow {
  name: string;
  /** A value for each part. */
  values: number[];
  lang?: string;
}

interface RankedBarsProps {
  label: string;
  parts: BarPart[];
  rows: BarRow[];
  format(value: number): string;
  /** The name of a saved file, and of its first column. */
  file: string;
  column: string;
}

const THICK = 12;
const LETTER = 7.4;
const NARROW = 430;

export function RankedBars({ label, parts, rows, format, file, column }: RankedBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const total = (row: BarRow) => row.values.reduce((sum, value) => sum + value, 0);
  const most = Math.max(...rows.map(total), 1);
  // On a small screen the name stands above its bar.
  const isNarrow = width < NARROW;
  const step = isNarrow ? 40 : 27;
  const figures = Math.max(...rows.map((row) => format(total(row)).length)) * LETTER + 14;
  const left = isNarrow ? 0 : Math.min(width * 0.46, Math.max(...rows.map((row) => row.name.length)) * LETTER + 14);
  const room = Math.max(width - left - figures, 20);
  const described = rows.map((row) => `${row.name}: ${parts.map((part, at) => `${parts.length > 1 ? `${part.name} ` : ""}${format(row.values[at] ?? 0)}`).join(", ")}`).join("; ");
  const toFile = () => rows.map((row) => ({ [column]: row.name, ...Object.fromEntries(parts.map((part, at) => [part.name, row.values[at] ?? 0])) }));
  return (
    <figure class="chart">
      {parts.length > 1 && (
        <figcaption>
          {parts.map((part) => (
            <span key={part.name} class={`chart-value c${typeof part.colour === "number" ? "" : "-"}${part.colour}`}>
              <i class="swatch line-colour" /> {part.name}
            </span>
          ))}
        </figcaption>
      )}
      <SavedDrawing class="still" file={file} rows={toFile} frameClass="chart-frame" frame={frame} width={width} height={rows.length * step} role="img" aria-label={`${label}: ${described}`}>
        {rows.map((row, place) => {
          const top = place * step;
          const bar = top + (isNarrow ? 21 : (step - THICK) / 2);
          let at = left;
          return (
            <g key={row.name}>
              <text class="label" x={0} y={top + (isNarrow ? 15 : step / 2 + 4)} lang={row.lang}>
                {fitName(row.name, isNarrow ? width : left - 10)}
              </text>
              {row.values.map((value, part) => {
                const wide = (value / most) * room;
                const from = at;
                at += wide;
                const { colour = 0, name } = parts[part] ?? {};
                return value > 0 ? (
                  <g key={name} class={`bars c${typeof colour === "number" ? "" : "-"}${colour}`}>
                    <rect x={from} y={bar} width={Math.max(wide - 1.5, 1)} height={THICK} rx="2" />
                  </g>
                ) : null;
              })}
              <text class="value" x={at + 7} y={bar + THICK - 1.5}>
                {format(total(row))}
              </text>
            </g>
          );
        })}
      </SavedDrawing>
    </figure>
  );
}

function fitName(name: string, room: number): string {
  const letters = Math.max(Math.floor(room / (LETTER - 0.6)), 4);
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
