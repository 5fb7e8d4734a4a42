// The pages of the console. A new page is a line here and a file in pages/, loaded on first use.
import type { ComponentType } from "preact";
import type { IconName } from "./parts/icon";
import { type Session, hasScope } from "./session";
import type { SHELL } from "./texts";

export interface PageProps {
  /** The path segments after the page name. */
  path: string[];
  params: URLSearchParams;
}

type PageModule = { default: ComponentType<PageProps> };

export interface PageRoute {
  name: keyof (typeof SHELL)["en"] & IconName;
  /** Where the menu shows it; "unlisted" pages are reached by links. */
  group: "explore" | "operate" | "owner" | "unlisted" | null;
  load(): Promise<PageModule>;
  /** The scope that the page needs. */
  scope?: string;
}

export const ROUTES: PageRoute[] = [
  { name: "home", group: null, load: () => import("./pages/home") },
  { name: "search", group: "explore", load: () => import("./pages/search") },
  { name: "papers", group: "explore", scope: "papers:read", load: () => import("./pages/papers") },
  { name: "herbs", group: "explore", scope: "herbs:read", load: () => import("./pages/herbs") },
  { name: "review", group: "explore", scope: "herbs:read", load: () => import("./pages/review") },
  { name: "memory", group: "explore", scope: "memory:read", load: () => import("./pages/memory") },
  { name: "funds", group: "explore", scope: "funds:read", load: () => import("./pages/funds") },
  { name: "tasks", group: "explore", scope: "tasks:read", load: () => import("./pages/tasks") },
  { name: "suites", group: "unlisted", load: () => import("./pages/suites") },
  { name: "tools", group: "operate", load: () => import("./pages/tools") },
  { name: "ledger", group: "operate", load: () => import("./pages/ledger") },
  { name: "evaluation", group: "operate", scope: "herbs:read", load: () => import("./pages/evaluation") },
  { name: "jobs", group: "operate", scope: "herbs:read", load: () => import("./pages/jobs") },
  { name: "operations", group: "operate", scope: "metrics:read", load: () => import("./pages/operations") },
  { name: "import", group: "owner", scope: "*", load: () => import("./pages/import") },
  { name: "keys", group: "owner", scope: "*", load: () => import("./pages/keys") },
  { name: "settings", group: "owner", scope: "*", load: () => import("./pages/settings") },
];

export function isAllowed(route: PageRoute, session: Session): boolean {
  return !route.scope || hasScope(session, route.scope);
}
