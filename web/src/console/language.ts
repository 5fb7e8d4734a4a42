// Translations. Every page has its own texts: `const texts = useTexts(TEXTS)`.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "./preferences";

export { type Language, loadLanguage, saveLanguage } from "./preferences";

export interface Translations<T> {
  en: T;
  th: T;
}

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function useTexts<T>(spoken: Translations<T>): T {
  return spoken[useLanguage()];
}
