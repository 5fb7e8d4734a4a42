// What every view is given: the words, the host's doors, and where to go next.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language, Words } from "./words";

export interface Page {
  words: Words;
  language: Language;
  demo: boolean;
  go(tool: string, input: Record<string, unknown>): void;
  again(input: Record<string, unknown>, add?: boolean): void;
  openLink(url: string): void;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a view stands outside of a page");
  return page;
}
