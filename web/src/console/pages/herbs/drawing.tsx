// The graph as an SVG. The list of neighbours is the accessible alternative.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLanguage, useTexts } from "../../language";
import { type FileRow, SavedDrawing } from "../../parts";
import { EDGE_TYPES, type EdgeType, type GraphEdge, type GraphNode, WARNINGS, type Subgraph, edgeKey, labelOf } from "./graph";
import { type Box, type Point, computeLayout } from "./layout";
import { HERBS } from "./texts";

const MOST_LETTERS = 22;
const HEIGHT = 28;
const AROUND_LABEL = 38;
/** Below this scale labels are unreadable, so a small screen starts zoomed in on the centre. */
const SMALLEST = 0.72;

interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface DrawingProps {
  subgraph: Subgraph;
  types: ReadonlySet<EdgeType>;
  selected: string;
  onSelect(node: GraphNode): void;
}

export function Drawing({ subgraph, types, selected, onSelect }: DrawingProps) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const positions = useRef<Map<string, Point>>(new Map());
  const root = useRef<string>("");
  const shown = useMemo(() => filterEdges(subgraph, types), [subgraph, types]);
  const drawn = useMemo(() => {
    if (root.current !== subgraph.centre.id) positions.current = new Map();
    root.current = subgraph.centre.id;
    const boxes = shown.nodes.map((node) => boxOf(labelOf(node, language), node.id));
    const places = computeLayout(boxes, shown.edges.map((edge) => [edge.from, edge.to]), subgraph.centre.id, positions.current);
    positions.current = places;
    return { places, sizes: new Map(boxes.map((box) => [box.id, box])) };
  }, [shown, language]);
  const whole = useMemo(() => boundingView(drawn.places, drawn.sizes), [drawn]);
  const [view, setView] = useState<View>(whole);
  const svg = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => setView(initialView(whole, svg.current)), [whole]);
  const zoom = (factor: number, x = view.x + view.width / 2, y = view.y + view.height / 2) =>
    setView((now) => ({ x: x - (x - now.x) * factor, y: y - (y - now.y) * factor, width: now.width * factor, height: now.height * factor }));
  useWheel(svg, zoom);
  const drag = useDrag(svg, setView);
  const description = texts.drawn.replace("{name}", labelOf(subgraph.centre, language)).replace("{nodes}", String(shown.nodes.length)).replace("{links}", String(shown.edges.length));
  return (
    <div class="drawing">
      <SavedDrawing
        file={`graph-${subgraph.centre.id}`}
        rows={() => shown.edges.map((edge) => toFileRow(edge, subgraph, language))}
        frameClass="drawing-frame"
        drawing={svg}
        tools={
          <div class="drawing-tools">
            <button type="button" aria-label={texts.zoomIn} title={texts.zoomIn} onClick={() => zoom(0.8)}>
              +
            </button>
            <button type="button" aria-label={texts.zoomOut} title={texts.zoomOut} onClick={() => zoom(1.25)}>
              −
            </button>
            <button type="button" onClick={() => setView(whole)}>
              {texts.fit}
            </button>
          </div>
        }
        role="img" aria-label={description} viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        {...drag}
      >
        {shown.edges.map((edge) => (
          <EdgeLine key={edgeKey(edge)} edge={edge} from={drawn.places.get(edge.from)} to={drawn.places.get(edge.to)} lit={edge.from === selected || edge.to === selected} />
        ))}
        {shown.nodes.map((node) => (
          <NodeLabel
            key={node.id}
            node={node}
            at={drawn.places.get(node.id) as Point}
            size={drawn.sizes.get(node.id) as Box}
            label={short(labelOf(node, language))}
            state={`${node.id === selected ? " selected" : ""}${node.id === subgraph.centre.id ? " centre" : ""}${subgraph.expanded.has(node.id) ? " opened" : ""}`}
            onSelect={onSelect}
          />
        ))}
      </SavedDrawing>
    </div>
  );
}

function toFileRow(edge: GraphEdge, subgraph: Subgraph, language: "en" | "th"): FileRow {
  const name = (id: string) => {
    const node = subgraph.nodes.get(id);
    return node ? labelOf(node, language) : id;
  };
  return { from: edge.from, from_name: name(edge.from), relation: edge.type, to: edge.to, to_name: name(edge.to), strength: edge.strength ?? null };
}

function filterEdges(subgraph: Subgraph, types: ReadonlySet<EdgeType>): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const edges = subgraph.edges.filter((edge) => types.has(edge.type));
  edges.sort((a, b) => EDGE_TYPES.indexOf(a.type) - EDGE_TYPES.indexOf(b.type));
  // Ordered by their edges, so that nodes with the same edge type are placed together.
  const ids = new Set([subgraph.centre.id, ...edges.flatMap((edge) => [edge.from, edge.to])]);
  return { nodes: [...ids].flatMap((id) => subgraph.nodes.get(id) ?? []), edges };
}

function short(label: string): string {
  return label.length > MOST_LETTERS ? `${label.slice(0, MOST_LETTERS - 1)}…` : label;
}

const pen = document.createElement("canvas").getContext("2d");

function boxOf(label: string, id: string): Box {
  if (pen) pen.font = `14.5px ${getComputedStyle(document.documentElement).fontFamily}`;
  const width = pen?.measureText(short(label)).width ?? 8 * short(label).length;
  return { id, width: width + AROUND_LABEL, height: HEIGHT };
}

/** Shows the whole graph, or its centre where the whole would be too small to read. */
function initialView(whole: View, svg: SVGSVGElement | null): View {
  const room = svg?.getBoundingClientRect();
  if (!room || room.width === 0 || Math.min(room.width / whole.width, room.height / whole.height) >= SMALLEST) return whole;
  const [width, height] = [room.width / SMALLEST, room.height / SMALLEST];
  return { x: -width / 2, y: -height / 2, width, height };
}

function boundingView(places: ReadonlyMap<string, Point>, sizes: ReadonlyMap<string, Box>): View {
  let [left, right, top, bottom] = [-200, 200, -140, 140];
  for (const [id, { x, y }] of places) {
    const half = (sizes.get(id)?.width ?? 0) / 2;
    left = Math.min(left, x - half);
    right = Math.max(right, x + half);
    top = Math.min(top, y - HEIGHT);
    bottom = Math.max(bottom, y + HEIGHT);
  }
  return { x: left - 16, y: top - 8, width: right - left + 32, height: bottom - top + 16 };
}

function EdgeLine({ edge, from, to, lit }: { edge: GraphEdge; from: Point | undefined; to: Point | undefined; lit: boolean }) {
  if (!from || !to) return null;
  const strong = WARNINGS.includes(edge.type) ? ` s-${edge.strength ?? "low"}` : "";
  return <line class={`e-${edge.type}${strong}${lit ? " lit" : ""}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
}

interface PillProps {
  node: GraphNode;
  at: Point;
  size: Box;
  label: string;
  state: string;
  onSelect(node: GraphNode): void;
}

function NodeLabel({ node, at, size, label, state, onSelect }: PillProps) {
  return (
    <g class={`node n-${node.type}${state}`} transform={`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`} data-id={node.id} onClick={() => onSelect(node)}>
      <title>{`${node.label}${node.label_en && node.label_en !== node.label ? ` · ${node.label_en}` : ""} (${node.id})`}</title>
      <rect x={-size.width / 2} y={-HEIGHT / 2} width={size.width} height={HEIGHT} rx={HEIGHT / 2} />
      <circle cx={-size.width / 2 + 15} cy="0" r="5" />
      <text x={-size.width / 2 + 26} y="5">
        {label}
      </text>
    </g>
  );
}

function useWheel(svg: { current: SVGSVGElement | null }, zoom: (factor: number, x: number, y: number) => void): void {
  const latest = useRef(zoom);
  latest.current = zoom;
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    // The plain wheel scrolls the page; with Ctrl, which pinching sends too, it zooms.
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const matrix = element.getScreenCTM()?.inverse();
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      latest.current(event.deltaY > 0 ? 1.12 : 0.89, at.x, at.y);
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, []);
}

function useDrag(svg: { current: SVGSVGElement | null }, move: (change: (now: View) => View) => void) {
  const last = useRef<{ x: number; y: number; far: boolean } | null>(null);
  const dragged = useRef(false);
  return {
    onPointerDown: (event: PointerEvent) => {
      last.current = { x: event.clientX, y: event.clientY, far: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const from = last.current;
      const scale = svg.current?.getScreenCTM()?.a;
      if (!from || !scale || event.buttons === 0) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.far && Math.hypot(x, y) < 4) return;
      last.current = { x: event.clientX, y: event.clientY, far: true };
      move((now) => ({ ...now, x: now.x - x / scale, y: now.y - y / scale }));
    },
    onPointerUp: () => {
      dragged.current = last.current?.far ?? false;
      last.current = null;
    },
    // A drag that starts on a node must not select it.
    onClickCapture: (event: MouseEvent) => {
      if (dragged.current) event.stopPropagation();
      dragged.current = false;
    },
  };
}
