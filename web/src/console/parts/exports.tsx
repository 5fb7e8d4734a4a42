// Buttons that save what is shown: a table as CSV or JSON, a chart as PNG or SVG, and its figures.
import type { ComponentChildren, RefObject, SVGAttributes } from "preact";
import { useRef } from "preact/hooks";
import { useTexts } from "../language";
import { SHELL } from "../texts";
import { Icon } from "./icon";
import { type FileRow, saveCsv, saveJson, savePng, saveSvg, toCsv } from "../../save";

export function SaveRows({ name, rows }: { name: string; rows(): FileRow[] }) {
  return (
    <SaveButtons name={name}>
      <RowButtons name={name} rows={rows} />
    </SaveButtons>
  );
}

export function SaveButtons({ name, children }: { name: string; children: ComponentChildren }) {
  const texts = useTexts(SHELL);
  return (
    <div class="save" role="group" aria-label={`${texts.exportAs}: ${name}`}>
      <Icon name="download" />
      {children}
    </div>
  );
}

export function RowButtons({ name, rows }: { name: string; rows(): FileRow[] }) {
  const texts = useTexts(SHELL);
  return (
    <>
      <button type="button" class="quiet" onClick={() => saveCsv(name, toCsv(rows()))}>
        {texts.csv}
      </button>
      <button type="button" class="quiet" onClick={() => saveJson(name, rows())}>
        {texts.json}
      </button>
    </>
  );
}

export function DrawingButtons({ name, drawing }: { name: string; drawing(): SVGSVGElement | null }) {
  const texts = useTexts(SHELL);
  const save = (write: (svg: SVGSVGElement) => void) => () => {
    const svg = drawing();
    if (svg) write(svg);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={save((svg) => void savePng(`${name}.png`, svg))}>
        {texts.png}
      </button>
      <button type="button" class="quiet" onClick={save((svg) => saveSvg(name, svg))}>
        {texts.svg}
      </button>
    </>
  );
}

type DrawingProps = SVGAttributes<SVGSVGElement> & {
  /** The name of a saved file. */
  file: string;
  /** The figures that are drawn. */
  rows(): FileRow[];
  frameClass: string;
  frame?: RefObject<HTMLDivElement | null>;
  drawing?: RefObject<SVGSVGElement | null>;
  /** Names the frame, which scrolls where the drawing has a least width. */
  scrolls?: string;
  /** More buttons, left of those that save. */
  tools?: ComponentChildren;
};

/** A chart or another drawing. Every drawing of the console is one, so that each can be saved as PNG and as SVG. */
export function SavedDrawing({ file, rows, frameClass, frame, drawing, scrolls, tools, children, ...attributes }: DrawingProps) {
  const own = useRef<SVGSVGElement>(null);
  const svg = drawing ?? own;
  return (
    <>
      <div class={frameClass} ref={frame ?? null} {...(scrolls ? { role: "region", "aria-label": scrolls, tabIndex: 0 } : {})}>
        <svg {...attributes} ref={svg}>
          {children}
        </svg>
      </div>
      <div class="drawing-foot">
        {tools}
        <SaveButtons name={file}>
          <DrawingButtons name={file} drawing={() => svg.current} />
          <RowButtons name={file} rows={rows} />
        </SaveButtons>
      </div>
    </>
  );
}
