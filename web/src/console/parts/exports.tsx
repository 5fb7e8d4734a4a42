// Buttons that save what is shown: a table as CSV or JSON, a chart as SVG or PNG.
import type { RefObject } from "preact";
import { useTexts } from "../language";
import { SHELL } from "../texts";
import { Icon } from "./icon";
import { type FileRow, savePng, saveText, toCsv, toSvgText } from "./save_file";

export function SaveRows({ name, rows }: { name: string; rows: () => FileRow[] }) {
  const texts = useTexts(SHELL);
  return (
    <div class="save" role="group" aria-label={`${texts.exportAs}: ${name}`}>
      <Icon name="download" />
      <button type="button" class="quiet" onClick={() => saveText(`${name}.csv`, "text/csv;charset=utf-8", toCsv(rows()))}>
        {texts.csv}
      </button>
      <button type="button" class="quiet" onClick={() => saveText(`${name}.json`, "application/json", JSON.stringify(rows(), null, 2))}>
        {texts.json}
      </button>
    </div>
  );
}

export function SaveDrawing({ name, drawing, rows }: { name: string; drawing: RefObject<Element | null>; rows?: (() => FileRow[]) | undefined }) {
  const texts = useTexts(SHELL);
  const find = (act: (svg: SVGSVGElement) => void) => {
    const svg = drawing.current?.closest("svg") ?? drawing.current?.querySelector("svg");
    if (svg) act(svg);
  };
  return (
    <div class="save" role="group" aria-label={`${texts.exportAs}: ${name}`}>
      <Icon name="download" />
      <button type="button" class="quiet" onClick={() => find((svg) => void savePng(`${name}.png`, svg))}>
        {texts.png}
      </button>
      <button type="button" class="quiet" onClick={() => find((svg) => saveText(`${name}.svg`, "image/svg+xml", toSvgText(svg)))}>
        {texts.svg}
      </button>
      {rows && (
        <button type="button" class="quiet" onClick={() => saveText(`${name}.csv`, "text/csv;charset=utf-8", toCsv(rows()))}>
          {texts.csv}
        </button>
      )}
    </div>
  );
}
