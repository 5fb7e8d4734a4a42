// Recent items and saved views, kept in this browser only and removed on signing out.
import { useEffect, useState } from "preact/hooks";

export interface Visit {
  title: string;
  address: string;
}

const RECENT = "sanya.recent";
const SAVED = "sanya.saved";
const MOST = { [RECENT]: 12, [SAVED]: 24 } as const;
const CHANGED = "sanya-visits";
const MOST_TITLE = 90;

function load(key: string): Visit[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isVisit) : [];
  } catch {
    return [];
  }
}

/** Only addresses of our own pages: whatever else is in the store must not become a link. */
function isVisit(kept: unknown): kept is Visit {
  const visit = kept as Visit | null;
  return typeof visit?.title === "string" && typeof visit.address === "string" && visit.address.startsWith("#/");
}

function save(key: keyof typeof MOST, visits: Visit[]): void {
  localStorage.setItem(key, JSON.stringify(visits.slice(0, MOST[key])));
  dispatchEvent(new Event(CHANGED));
}

/** Remembers an item that was opened: a page with a path or a query, not the pages of the menu. */
export function rememberVisit(title: string): void {
  const address = location.hash;
  const [path = "", query = ""] = address.replace(/^#\//, "").split("?");
  if (!path.includes("/") && !query) return;
  save(RECENT, [{ title: title.slice(0, MOST_TITLE), address }, ...load(RECENT).filter((visit) => visit.address !== address)]);
}

export const loadRecent = () => load(RECENT);

export function forgetVisits(): void {
  localStorage.removeItem(RECENT);
  localStorage.removeItem(SAVED);
  dispatchEvent(new Event(CHANGED));
}

export function toggleSaved(title: string, address: string): void {
  const kept = load(SAVED);
  const others = kept.filter((visit) => visit.address !== address);
  save(SAVED, others.length < kept.length ? others : [...others, { title: title.slice(0, MOST_TITLE), address }]);
}

export function useSaved(): Visit[] {
  const [kept, setKept] = useState(() => load(SAVED));
  useEffect(() => {
    const follow = () => setKept(load(SAVED));
    addEventListener(CHANGED, follow);
    addEventListener("storage", follow);
    return () => {
      removeEventListener(CHANGED, follow);
      removeEventListener("storage", follow);
    };
  }, []);
  return kept;
}
