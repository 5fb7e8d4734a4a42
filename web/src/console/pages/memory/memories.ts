// Memories, with the fields that the page shows, and the time of each.
export interface Memory {
  id: string;
  type: string;
  content: string;
  confidence: string | null;
  properties: Record<string, unknown>;
  participants: { id: string; type: string; name: string; role: string | null }[];
  causal_chain: { relation: string; target_id: string; target_summary: string; confidence: string | null }[];
  sources: { id: string; type: string; ref: string | null; citation: string | null; reliability: string | null; credibility: string | null }[];
  supersedes: string[];
  superseded_by: string | null;
  score: number | null;
}

export interface Contradiction {
  id: string;
  memory_id: string;
  contradicting_memory: Memory;
  nature: string;
  resolution_status: string;
  detected_at: string | null;
}

export interface RecallAnswer {
  status: string;
  message: string | null;
  memories: Memory[];
  contradictions: Contradiction[];
  meta: { total_found: number; returned: number } | null;
}

export interface MemoryTime {
  /** The known part of an ISO timestamp. */
  text: string;
  ms: number;
  happened: boolean;
}

/** Returns when the event happened, or when the memory was created if that is unknown. */
export function timeOf(memory: Memory): MemoryTime | null {
  const events = memory.properties.events;
  const first = Array.isArray(events) ? (events[0] as { happened_at?: unknown }) : null;
  for (const [text, happened] of [[first?.happened_at, true], [memory.properties.created_at, false]] as const) {
    if (typeof text !== "string") continue;
    const ms = Date.parse(text);
    if (!Number.isNaN(ms)) return { text, ms, happened };
  }
  return null;
}

/** Lists contradictions once; the server reports each from both sides. */
export function pairsOf(recalled: RecallAnswer): { contradiction: Contradiction; memory: Memory }[] {
  const seen = new Set<string>();
  return recalled.contradictions.flatMap((contradiction) => {
    const memory = recalled.memories.find((candidate) => candidate.id === contradiction.memory_id);
    const key = [contradiction.memory_id, contradiction.contradicting_memory.id].sort().join(" ");
    if (!memory || seen.has(key)) return [];
    seen.add(key);
    return [{ contradiction, memory }];
  });
}

const MOST_NAME_LETTERS = 48;

/** Whether a subject reads like a name: completions also offer events, which are whole sentences. */
export function isName(subject: string): boolean {
  return subject.length <= MOST_NAME_LETTERS && !/[.!?]$/.test(subject);
}

export function shortenText(text: string): string {
  return text.length > 90 ? `${text.slice(0, 88)}…` : text;
}
