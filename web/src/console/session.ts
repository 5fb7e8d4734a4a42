// The caller of the console and their scopes.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useTexts } from "./language";
import { SHELL } from "./texts";

export interface Session {
  caller: string;
  scopes: string[];
  /** True if the server needs no key. */
  open: boolean;
  version: string;
  /** `has_own_page` is false for suites of other packages, whose page is generated. */
  suites: { name: string; title: string; has_own_page: boolean }[];
}

export function hasScope(session: Session, scope: string): boolean {
  return session.scopes.includes("*") || session.scopes.includes(scope);
}

export const SessionContext = createContext<Session>({ caller: "", scopes: [], open: true, version: "", suites: [] });

export function useSession(): Session {
  return useContext(SessionContext);
}

/** Returns the names of suites: ours in the reader's language, others as their packages name them. */
export function useSuiteNames(): (suite: { name: string; title: string }) => string {
  const texts = useTexts(SHELL);
  const session = useContext(SessionContext);
  return ({ name, title }) => {
    const isOurs = session.suites.some((suite) => suite.name === name && suite.has_own_page);
    return isOurs && name in texts ? String(texts[name as "tasks"]) : title;
  };
}
