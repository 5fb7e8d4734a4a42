// Hash routing: paths belong to the server, and a reloaded or shared link must still open its page.
import { useEffect, useState } from "preact/hooks";

export interface PageLocation {
  page: string;
  /** The decoded segments after the page name: `#/tools/get_tasks` has `["get_tasks"]`. */
  path: string[];
  params: URLSearchParams;
}

export function parseLocation(hash: string): PageLocation {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/").map(decode);
  return { page: page || "home", path: rest.filter((segment) => segment !== ""), params: new URLSearchParams(query) };
}

/** Builds the `href` of a page. Parameters without a value are left out. */
export function buildHref(page: string, path: string[] = [], params: Record<string, string | null | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const queryString = query.toString();
  return `#/${[page, ...path].map(encodeURIComponent).join("/")}${queryString ? `?${queryString}` : ""}`;
}

/** Navigates to an address. `replace` adds no history entry, as for a filter that changes while typing. */
export function navigate(address: string, replace = false): void {
  if (!replace) location.hash = address;
  else {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

export function usePageLocation(): PageLocation {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return parseLocation(hash);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
