// Addresses behind the `#`: the server has paths of its own, and a page that is reloaded or sent on must still open.
import { useEffect, useState } from "preact/hooks";

export interface Place {
  page: string;
  /** What follows the page's name, decoded: `#/tools/get_tasks` has `["get_tasks"]`. */
  path: string[];
  params: URLSearchParams;
}

export function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/").map(decoded);
  return { page: page || "home", path: rest.filter((one) => one !== ""), params: new URLSearchParams(query) };
}

/** The address of a page, for an `href`. Parameters without a value are left out. */
export function to(page: string, path: string[] = [], params: Record<string, string | null | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const asked = query.toString();
  return `#/${[page, ...path].map(encodeURIComponent).join("/")}${asked ? `?${asked}` : ""}`;
}

/** Goes to an address; `replace` leaves no step behind, as is right for a filter that is typed. */
export function go(address: string, replace = false): void {
  if (!replace) location.hash = address;
  else {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return readPlace(hash);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
