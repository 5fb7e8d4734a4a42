// A widget's chart as a picture of its own: with title, names and days, in the size of a slide.
import { saveBlob } from "./save";

export interface DrawnChart {
  title: string;
  days: [string, string];
  lines: { name: string; values: number[]; colour: string }[];
}

const WIDTH = 1200;
const HEIGHT = 640;
const MARGIN = { top: 90, right: 110, bottom: 60, left: 24 };

/** Draws the chart on a canvas and saves it. Colours are those of the page, so that a dark page gives a dark picture. */
export function saveChartPng(name: string, chart: DrawnChart, formatValue: (value: number) => string): void {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  draw(pen, chart, formatValue);
  canvas.toBlob((blob) => blob && saveBlob(name, blob), "image/png");
}

function draw(pen: CanvasRenderingContext2D, chart: DrawnChart, formatValue: (value: number) => string): void {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const font = getComputedStyle(document.body).fontFamily;
  const all = chart.lines.flatMap((line) => line.values);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const y = (value: number) => MARGIN.top + (1 - (value - low) / (high - low || 1)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  pen.fillStyle = colour("--paper");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.font = `600 26px ${font}`;
  pen.fillStyle = colour("--ink");
  pen.fillText(chart.title, MARGIN.left, 38);
  pen.font = `18px ${font}`;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const value = low + (high - low) * share;
    pen.strokeStyle = colour("--rule");
    pen.beginPath();
    pen.moveTo(MARGIN.left, y(value));
    pen.lineTo(WIDTH - MARGIN.right, y(value));
    pen.stroke();
    pen.fillStyle = colour("--dim");
    pen.fillText(formatValue(value), WIDTH - MARGIN.right + 10, y(value) + 6);
  }
  let left = MARGIN.left;
  for (const line of chart.lines) {
    pen.strokeStyle = pen.fillStyle = line.colour;
    pen.lineWidth = 3;
    pen.beginPath();
    line.values.forEach((value, at) => {
      const x = MARGIN.left + (at / Math.max(line.values.length - 1, 1)) * (WIDTH - MARGIN.left - MARGIN.right);
      if (at) pen.lineTo(x, y(value));
      else pen.moveTo(x, y(value));
    });
    pen.stroke();
    pen.lineWidth = 1;
    pen.fillText(line.name, left, 70);
    left += pen.measureText(line.name).width + 28;
  }
  pen.fillStyle = colour("--dim");
  pen.fillText(chart.days[0], MARGIN.left, HEIGHT - 22);
  pen.fillText(chart.days[1], WIDTH - MARGIN.right - pen.measureText(chart.days[1]).width, HEIGHT - 22);
}
