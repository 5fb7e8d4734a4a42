// Names of nodes in the reader's language, whatever language was typed.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { getJson } from "../../api";
import { useLanguage } from "../../language";
import { useLoaded } from "../../loading";

type Labels = Record<string, { th: string | null; en: string | null }>;
export type NameOf = (id: string) => string | null;

export const LabelsContext = createContext<NameOf>(() => null);

export function useNames(): NameOf {
  return useContext(LabelsContext);
}

export interface SourceReference {
  id: string;
  title: string | null;
  year: number | null;
  url: string | null;
}

/** Loads the titles and addresses of these sources, by id. Until they are there the result is empty. */
export function useSources(ids: string[]): ReadonlyMap<string, SourceReference> {
  const wanted = [...new Set(ids)].sort().slice(0, 500).join("|");
  const loaded = useLoaded(async (signal) => (wanted ? (await getJson<{ sources: SourceReference[] }>(`/console/api/herbs/labels?${new URLSearchParams({ sources: wanted })}`, { signal })).sources : []), [wanted]);
  return new Map((loaded.value ?? []).map((source) => [source.id, source]));
}

/** Loads the names of these nodes. Until they are there, and for what has none, the result is null. */
export function useLabels(ids: string[]): NameOf {
  const language = useLanguage();
  const wanted = [...new Set(ids)].sort().slice(0, 500).join("|");
  const loaded = useLoaded<Labels>(async (signal) => (wanted ? (await getJson<{ labels: Labels }>(`/console/api/herbs/labels?${new URLSearchParams({ ids: wanted })}`, { signal })).labels : {}), [wanted]);
  return (id) => {
    const label = loaded.value?.[id];
    return label ? ((language === "en" ? label.en : label.th) ?? label.th ?? label.en) : null;
  };
}
