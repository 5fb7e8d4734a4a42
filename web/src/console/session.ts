// Who looks at the pages, and what they may do.
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface Session {
  caller: string;
  scopes: string[];
  /** Whether a key is needed here at all. */
  open: boolean;
  version: string;
  suites: { name: string; title: string }[];
}

export function may(session: Session, scope: string): boolean {
  return session.scopes.includes("*") || session.scopes.includes(scope);
}

export const SessionContext = createContext<Session>({ caller: "", scopes: [], open: true, version: "", suites: [] });

export function useSession(): Session {
  return useContext(SessionContext);
}
