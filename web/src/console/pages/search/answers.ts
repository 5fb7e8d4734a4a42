// The fields of the two search tools' answers that the page shows.
export interface HerbHit {
  id: string;
  type: "herb" | "formulation" | "paper" | "chunk";
  title: string;
  snippet: string;
  score: number;
  source: string;
  uri: string;
  about: string;
  matched_lang: "th" | "en";
  score_parts: Record<string, number>;
  reasons: string[];
}

export interface HerbAnswer {
  hits: HerbHit[];
  ambiguous: { name: string; candidates: { id: string; label: string }[] }[];
}

export interface PaperHit {
  doc_id: string;
  pmid: string;
  chunk_id: string;
  title: string | null;
  abstract: string | null;
  score: number;
  score_parts: Record<string, number>;
  quality: number;
  journal: string | null;
  pub_types: string[];
  year: number | null;
  retracted: boolean;
  sample: boolean;
  source_url: string | null;
}

export interface PaperAnswer {
  documents: PaperHit[];
}

/** The search query, as stored in the address. */
export interface SearchQuery {
  q: string;
  where: "all" | "herbs" | "papers";
  lang: string;
  kind: string;
  from: string;
  to: string;
  journal: string;
  mode: string;
  alpha: string;
  quality: boolean;
}

export function parseQuery(params: URLSearchParams): SearchQuery {
  const where = params.get("in");
  return {
    q: params.get("q") ?? "",
    where: where === "herbs" || where === "papers" ? where : "all",
    lang: params.get("lang") ?? "auto",
    kind: params.get("kind") ?? "",
    from: params.get("from") ?? "",
    to: params.get("to") ?? "",
    journal: params.get("journal") ?? "",
    mode: params.get("mode") ?? "hybrid",
    alpha: params.get("alpha") ?? "0.5",
    quality: params.get("quality") !== "no",
  };
}

export function toParams(query: SearchQuery): Record<string, string | null> {
  const unless = (value: string, usual: string) => (value === usual ? null : value);
  return {
    q: query.q,
    in: unless(query.where, "all"),
    lang: unless(query.lang, "auto"),
    kind: query.kind,
    from: query.from,
    to: query.to,
    journal: query.journal,
    mode: unless(query.mode, "hybrid"),
    alpha: unless(query.alpha, "0.5"),
    quality: query.quality ? null : "no",
  };
}

export function herbArguments(query: SearchQuery): Record<string, unknown> {
  const filters = {
    ...(query.kind ? { types: [query.kind] } : {}),
    ...(query.from ? { year_from: Number(query.from) } : {}),
    ...(query.to ? { year_to: Number(query.to) } : {}),
  };
  return { query: query.q, lang: query.lang, top_k: 10, ...(Object.keys(filters).length ? { filters } : {}) };
}

export function paperArguments(query: SearchQuery): Record<string, unknown> {
  const filters = {
    ...(query.from ? { date_from: query.from } : {}),
    ...(query.to ? { date_to: query.to } : {}),
    ...(query.journal ? { journals: [query.journal] } : {}),
  };
  return {
    query: query.q,
    top_k: 10,
    search_mode: query.mode,
    alpha: Number(query.alpha),
    rerank_by_quality: query.quality,
    ...(Object.keys(filters).length ? { filters } : {}),
  };
}
