// Saves rows and drawings as files.
export type Cell = string | number | boolean | null | undefined;
export type FileRow = Record<string, Cell>;

// A cell that begins like this would run as a formula in a spreadsheet (also behind blanks, and as full-width signs).
const FORMULA = /^[\s\u00a0\u3000]*[=+\-@＝＋－＠\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellText(value: Cell): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

export function toCsv(rows: FileRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [names.map(quote), ...rows.map((row) => names.map((name) => quote(cellText(row[name]))))];
  // The mark tells spreadsheets that the text is UTF-8; without it Thai is unreadable there.
  return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
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

const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "fill-opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline"];

/** Returns a drawing as text of its own: styles are written into it, for other programs know none of our sheets. */
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
  ground.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card"));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

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
