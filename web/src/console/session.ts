// The caller of the console and their scopes.
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface Session {
  caller: string;
  scopes: string[];
  /** True if the server needs no key. */
  open: boolean;
  version: string;
  suites: { name: string; title: string }[];
}

export function hasScope(session: Session, scope: string): boolean {
  return session.scopes.includes("*") || session.scopes.includes(scope);
}

export const SessionContext = createContext<Session>({ caller: "", scopes: [], open: true, version: "", suites: [] });

export function useSession(): Session {
  return useContext(SessionContext);
}
