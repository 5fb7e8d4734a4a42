// What this browser remembers of its user: the language, and light, dark or as the machine has it.
export type Language = "en" | "th";
export type Theme = "auto" | "light" | "dark";

const THEME = "sanya.theme";
const LANGUAGE = "sanya.language";

export function keptTheme(): Theme {
  const kept = localStorage.getItem(THEME);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export function applyTheme(theme: Theme): void {
  if (theme === "auto") {
    localStorage.removeItem(THEME);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(THEME, theme);
    document.documentElement.dataset.theme = theme;
  }
}

export function firstLanguage(): Language {
  const kept = localStorage.getItem(LANGUAGE);
  if (kept === "en" || kept === "th") return kept;
  return navigator.language.toLowerCase().startsWith("th") ? "th" : "en";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
}
