// Every page of the console: a new one is a line here and a file in pages/, which is loaded when it is first opened.
import type { ComponentType } from "preact";
import type { IconName } from "./parts/icon";
import { type Session, may } from "./session";
import type { SHELL } from "./words";

export interface PageProps {
  /** What follows the page's name in the address. */
  path: string[];
  params: URLSearchParams;
}

type PageModule = { default: ComponentType<PageProps> };

export interface PageRoute {
  name: keyof (typeof SHELL)["en"] & IconName;
  group: "explore" | "operate" | null;
  load(): Promise<PageModule>;
  /** The scope without which the page has nothing to show. */
  scope?: string;
}

export const ROUTES: PageRoute[] = [
  { name: "home", group: null, load: () => import("./pages/home") },
  { name: "search", group: "explore", load: () => import("./pages/search") },
  { name: "herbs", group: "explore", scope: "herbs:read", load: () => import("./pages/herbs") },
  { name: "memory", group: "explore", scope: "memory:read", load: () => import("./pages/memory") },
  { name: "funds", group: "explore", scope: "funds:read", load: () => import("./pages/funds") },
  { name: "tasks", group: "explore", scope: "tasks:read", load: () => import("./pages/tasks") },
  { name: "tools", group: "operate", load: () => import("./pages/tools") },
  { name: "ledger", group: "operate", load: () => import("./pages/ledger") },
  { name: "evaluation", group: "operate", scope: "herbs:read", load: () => import("./pages/evaluation") },
  { name: "jobs", group: "operate", scope: "herbs:read", load: () => import("./pages/jobs") },
];

export function isOpenTo(route: PageRoute, session: Session): boolean {
  return !route.scope || may(session, route.scope);
}
