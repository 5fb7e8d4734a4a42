// Thai and English. Every page brings its own words: `const words = useWords(WORDS)`.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "./kept";

export { type Language, firstLanguage, keepLanguage } from "./kept";

export interface Spoken<T> {
  en: T;
  th: T;
}

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useWords<T>(spoken: Spoken<T>): T {
  return spoken[useLanguage()];
}
