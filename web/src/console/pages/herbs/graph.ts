// The explored part of the graph. It only grows; edge types filter what is shown.
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
  /** Of a warning, where the server says it. It tells contraindicated from major, which are both high. */
  severity?: string | null;
  basis: string;
  review: "reviewed" | "needs_review" | "unreviewed";
  sources: string[];
}

export interface Subgraph {
  centre: GraphNode;
  nodes: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  expanded: ReadonlySet<string>;
  truncated: boolean;
}

const MOST_LINKS = 200;

interface PathPage {
  paths: GraphNode[][];
  edges: GraphEdge[];
  next_cursor: string | null;
}

export async function loadNeighbours(type: string, id: string, signal?: AbortSignal): Promise<PathPage> {
  return (await callTool<PathPage>("tool.query_kg", { start: { type, id }, max_depth: 1, limit: MOST_LINKS }, { signal })).data;
}

export async function loadSubgraph(type: string, id: string, signal?: AbortSignal): Promise<Subgraph> {
  const page = await loadNeighbours(type, id, signal);
  const centre = page.paths[0]?.[0];
  if (!centre) throw new Error(`${id} is not in the graph`);
  return mergePage({ centre, nodes: new Map(), edges: [], expanded: new Set(), truncated: false }, centre, page);
}

export function mergePage(subgraph: Subgraph, from: GraphNode, page: PathPage): Subgraph {
  const nodes = new Map(subgraph.nodes);
  for (const path of page.paths) for (const node of path) nodes.set(node.id, node);
  const edges = new Map(subgraph.edges.map((edge) => [edgeKey(edge), edge]));
  for (const edge of page.edges) {
    if (!nodes.has(edge.from) || !nodes.has(edge.to)) continue;
    const known = edges.get(edgeKey(edge));
    if (!known || rankWarning(edge) > rankWarning(known)) edges.set(edgeKey(edge), edge);
  }
  return { ...subgraph, nodes, edges: [...edges.values()], expanded: new Set([...subgraph.expanded, from.id]), truncated: subgraph.truncated || page.next_cursor !== null };
}

/** Identifies an edge. Statements of several sources about the same nodes become one edge, that of the strongest warning. */
export function edgeKey(edge: GraphEdge): string {
  return `${edge.type} ${edge.from} ${edge.to}`;
}

export function rankStrength(edge: { strength: string | null }): number {
  return ["low", "moderate", "high"].indexOf(edge.strength ?? "") + 1;
}

const SEVERITIES = ["minor", "moderate", "major", "contraindicated"];

/** Ranks an edge by strength, then by severity. */
function rankWarning(edge: GraphEdge): number {
  return rankStrength(edge) * 10 + SEVERITIES.indexOf(edge.severity ?? "") + 1;
}

export interface Neighbour {
  node: GraphNode;
  edge: GraphEdge;
}

export function neighboursOf(subgraph: Subgraph, id: string, types: ReadonlySet<EdgeType>): Neighbour[] {
  const neighbours: Neighbour[] = [];
  for (const edge of subgraph.edges) {
    const other = edge.from === id ? edge.to : edge.to === id ? edge.from : null;
    const node = other === null ? undefined : subgraph.nodes.get(other);
    if (node && types.has(edge.type)) neighbours.push({ node, edge });
  }
  return neighbours;
}

export function labelOf(node: GraphNode, language: "en" | "th"): string {
  return (language === "en" ? node.label_en : null) ?? node.label ?? node.id;
}
