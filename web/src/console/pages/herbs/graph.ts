// The part of the graph that was walked so far. It only grows; what is shown of it is chosen by the kinds of links.
import { callTool } from "../../api";

export const EDGE_TYPES = ["contains", "treats", "acts_on", "part_of", "contraindicated_in", "interacts_with", "mentioned_in"] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];
export const WARNINGS: readonly EdgeType[] = ["contraindicated_in", "interacts_with"];
export const NODE_TYPES = ["herb", "formulation", "constituent", "indication", "drug", "condition", "paper", "chunk"] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export interface GraphNode {
  id: string;
  type: NodeType;
  label: string;
  label_en: string | null;
}

export interface GraphEdge {
  type: EdgeType;
  from: string;
  to: string;
  strength: "low" | "moderate" | "high" | null;
  basis: string;
  review: "reviewed" | "needs_review" | "unreviewed";
  sources: string[];
}

export interface Walked {
  centre: GraphNode;
  nodes: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  expanded: ReadonlySet<string>;
  cut: boolean;
}

const MOST_LINKS = 200;

interface PathPage {
  paths: GraphNode[][];
  edges: GraphEdge[];
  next_cursor: string | null;
}

export async function step(type: string, id: string, signal?: AbortSignal): Promise<PathPage> {
  return (await callTool<PathPage>("tool.query_kg", { start: { type, id }, max_depth: 1, limit: MOST_LINKS }, { signal })).data;
}

export async function begin(type: string, id: string, signal?: AbortSignal): Promise<Walked> {
  const page = await step(type, id, signal);
  const centre = page.paths[0]?.[0];
  if (!centre) throw new Error(`${id}: nothing is known of it`);
  return joined({ centre, nodes: new Map(), edges: [], expanded: new Set(), cut: false }, centre, page);
}

export function joined(walked: Walked, from: GraphNode, page: PathPage): Walked {
  const nodes = new Map(walked.nodes);
  for (const path of page.paths) for (const node of path) nodes.set(node.id, node);
  const known = new Set(walked.edges.map(keyOf));
  const edges = [...walked.edges];
  for (const edge of page.edges) {
    if (known.has(keyOf(edge)) || !nodes.has(edge.from) || !nodes.has(edge.to)) continue;
    known.add(keyOf(edge));
    edges.push(edge);
  }
  return { ...walked, nodes, edges, expanded: new Set([...walked.expanded, from.id]), cut: walked.cut || page.next_cursor !== null };
}

/** Several sources may say the same of two nodes: it is one line then, as strong as the strongest of them. */
export function keyOf(edge: GraphEdge): string {
  return `${edge.type} ${edge.from} ${edge.to}`;
}

export interface Neighbour {
  node: GraphNode;
  edge: GraphEdge;
}

export function neighboursOf(walked: Walked, id: string, types: ReadonlySet<EdgeType>): Neighbour[] {
  const found: Neighbour[] = [];
  for (const edge of walked.edges) {
    const other = edge.from === id ? edge.to : edge.to === id ? edge.from : null;
    const node = other === null ? undefined : walked.nodes.get(other);
    if (node && types.has(edge.type)) found.push({ node, edge });
  }
  return found;
}

export function labelOf(node: GraphNode, language: "en" | "th"): string {
  return (language === "en" ? node.label_en : null) ?? node.label ?? node.id;
}
