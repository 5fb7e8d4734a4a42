// Saves the tables and charts of a report. The frame that shows it has no scripts, so the buttons stand outside it.
import { type Language, useLanguage, useTexts } from "../../language";
import { DrawingButtons, RowButtons, SaveButtons } from "../../parts/exports";
import type { Cell, FileRow } from "../../../save";
import { TEXTS } from "./texts";

/** A section of the report with what can be saved of it. */
export interface SavedSection {
  heading: Element;
  file: string;
  drawing: SVGSVGElement | null;
  table: HTMLTableElement | null;
}

export function listSavedSections(report: Document): SavedSection[] {
  return [...report.querySelectorAll("main section")].flatMap((section) => {
    const heading = section.querySelector("h2");
    const drawing = section.querySelector<SVGSVGElement>("svg.plot");
    const table = section.querySelector("table");
    if (!heading || !(drawing || table)) return [];
    return [{ heading, file: `report-${toFileName(readText(heading, "en"))}`, drawing, table }];
  });
}

export function ReportSaves({ sections }: { sections: SavedSection[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  if (sections.length === 0) return null;
  return (
    <details class="card report-parts">
      <summary>{texts.saveParts}</summary>
      <ul class="report-saves">
        {sections.map(({ heading, file, drawing, table }) => {
          const name = readText(heading, language);
          return (
            <li key={file}>
              <span>{name}</span>
              <SaveButtons name={name}>
                {drawing && <DrawingButtons name={file} drawing={() => drawing} />}
                {table && <RowButtons name={file} rows={() => readRows(table, name, language)} />}
              </SaveButtons>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** Reads a table; a column without a title gets that of the table. */
function readRows(table: HTMLTableElement, name: string, language: Language): FileRow[] {
  const titles = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => readText(cell, language) || name);
  return [...(table.tBodies[0]?.rows ?? [])].map((row) => Object.fromEntries([...row.cells].map((cell, at) => [titles[at] ?? String(at), readValue(cell, language)])));
}

/** Reads a figure as a number; a cell that explains its figure begins with it. */
function readValue(cell: Element, language: Language): Cell {
  const own = [...cell.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? "").join("").trim();
  return /^-?\d+(\.\d+)?$/.test(own) ? Number(own) : readText(cell, language);
}

/** Reads a text of the report, which stands in both languages, in one of them. */
function readText(element: Element, language: Language): string {
  const thai = element.querySelector(".thai");
  if (thai && language === "th") return thai.textContent?.trim() ?? "";
  const copy = element.cloneNode(true) as Element;
  for (const other of copy.querySelectorAll(".thai")) other.remove();
  return copy.textContent?.trim() ?? "";
}

function toFileName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
