// Saves tables and drawings as files. Nothing leaves the page but the file that its reader saves.
export type Cell = string | number | boolean | null | undefined;
export type FileRow = Record<string, Cell>;

// Spreadsheets drop blanks, line ends and invisible characters in front of a formula; some compute full-width forms.
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Joins rows as CSV with the mark by which spreadsheets recognise UTF-8; without it Thai is unreadable there. */
export function buildCsv(rows: Cell[][]): string {
  return `\ufeff${rows.map((row) => row.map(quote).join(",")).join("\r\n")}\r\n`;
}

/** Writes objects as CSV, with a column for every name that any of them has. */
export function toCsv(rows: FileRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return buildCsv([names, ...rows.map((row) => names.map((name) => row[name]))]);
}

function quote(cell: Cell): string {
  const text = String(cell ?? "");
  // A text that begins like a formula is shown as text by spreadsheets only behind an apostrophe.
  const shown = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

export function saveCsv(name: string, text: string): void {
  saveText(`${name}.csv`, "text/csv;charset=utf-8", text);
}

export function saveJson(name: string, value: unknown): void {
  saveText(`${name}.json`, "application/json", JSON.stringify(value, null, 2));
}

export function saveSvg(name: string, svg: SVGSVGElement): void {
  saveText(`${name}.svg`, "image/svg+xml", toSvgText(svg));
}

export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// What a drawing looks like; other programs know none of our style sheets.
const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"];

/** Returns a drawing as text of its own, with its styles written into it, on the colour of its card. */
export function toSvgText(svg: SVGSVGElement): string {
  const box = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, at) => {
    const style = getComputedStyle(element);
    const target = to[at];
    if (!target) return;
    for (const name of DRAWN) target.setAttribute(name, style.getPropertyValue(name));
    target.removeAttribute("class");
    target.removeAttribute("tabindex");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${Math.round(box.width)} ${Math.round(box.height)}`);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", readGround(svg));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The colour behind the drawing, in the document that it stands in. */
function readGround(svg: SVGSVGElement): string {
  const style = getComputedStyle(svg.ownerDocument.documentElement);
  return style.getPropertyValue("--card") || style.getPropertyValue("--paper");
}

/** Saves a drawing as a picture of twice its size on the page, and sharp therefore. */
export async function savePng(name: string, svg: SVGSVGElement): Promise<void> {
  const box = svg.getBoundingClientRect();
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toSvgText(svg))}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(box.width * 2);
  canvas.height = Math.round(box.height * 2);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(name, blob);
}
