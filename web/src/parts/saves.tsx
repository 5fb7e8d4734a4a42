// Buttons that save what a widget shows: its figures as CSV and JSON, its chart as PNG and SVG.
import type { RefObject } from "preact";
import { usePage } from "../page";
import { type Cell, buildCsv, saveCsv, saveJson, saveSvg } from "../save";

interface SavesProps {
  /** The name of a saved file. */
  name: string;
  rows(): Cell[][];
  json(): unknown;
  chart?: { drawing: RefObject<HTMLElement | null>; savePng(): void } | null;
}

export function Saves({ name, rows, json, chart }: SavesProps) {
  const { texts } = usePage();
  const svg = () => chart?.drawing.current?.querySelector<SVGSVGElement>("figure svg");
  const saveDrawing = () => {
    const found = svg();
    if (found) saveSvg(name, found);
  };
  const ways: [string, () => void][] = [
    ["CSV", () => saveCsv(name, buildCsv(rows()))],
    ["JSON", () => saveJson(name, json())],
  ];
  if (chart) ways.unshift(["PNG", chart.savePng], ["SVG", saveDrawing]);
  return (
    <div class="saves" role="group" aria-label={`${texts.saveAs}: ${name}`}>
      <span aria-hidden="true">{texts.saveAs}</span>
      {ways.map(([way, save]) => (
        <button key={way} type="button" class="quiet" aria-label={`${texts.saveAs} ${way}`} onClick={save}>
          {way}
        </button>
      ))}
    </div>
  );
}
