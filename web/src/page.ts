// The context of every view: texts, language, navigation and links.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language, Texts } from "./texts";

export interface Page {
  texts: Texts;
  language: Language;
  demo: boolean;
  navigate(tool: string, input: Record<string, unknown>): void;
  reload(input: Record<string, unknown>, add?: boolean): void;
  openLink(url: string): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("usePage needs a PageContext");
  return page;
}
