// The answers of the two searches, as far as the page shows them.
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

/** What was asked, as the address has it. */
export interface Asked {
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

export function readAsked(params: URLSearchParams): Asked {
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

export function paramsOf(asked: Asked): Record<string, string | null> {
  const unless = (value: string, usual: string) => (value === usual ? null : value);
  return {
    q: asked.q,
    in: unless(asked.where, "all"),
    lang: unless(asked.lang, "auto"),
    kind: asked.kind,
    from: asked.from,
    to: asked.to,
    journal: asked.journal,
    mode: unless(asked.mode, "hybrid"),
    alpha: unless(asked.alpha, "0.5"),
    quality: asked.quality ? null : "no",
  };
}

export function herbArguments(asked: Asked): Record<string, unknown> {
  const filters = {
    ...(asked.kind ? { types: [asked.kind] } : {}),
    ...(asked.from ? { year_from: Number(asked.from) } : {}),
    ...(asked.to ? { year_to: Number(asked.to) } : {}),
  };
  return { query: asked.q, lang: asked.lang, top_k: 10, ...(Object.keys(filters).length ? { filters } : {}) };
}

export function paperArguments(asked: Asked): Record<string, unknown> {
  const filters = {
    ...(asked.from ? { date_from: asked.from } : {}),
    ...(asked.to ? { date_to: asked.to } : {}),
    ...(asked.journal ? { journals: [asked.journal] } : {}),
  };
  return {
    query: asked.q,
    top_k: 10,
    search_mode: asked.mode,
    alpha: Number(asked.alpha),
    rerank_by_quality: asked.quality,
    ...(Object.keys(filters).length ? { filters } : {}),
  };
}
