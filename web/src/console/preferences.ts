// Preferences stored in the browser: language and theme.
export type Language = "en" | "th";
export type Theme = "auto" | "light" | "dark";

const THEME = "sanya.theme";
const LANGUAGE = "sanya.language";

export function loadTheme(): Theme {
  const saved = localStorage.getItem(THEME);
  return saved === "light" || saved === "dark" ? saved : "auto";
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

export function loadLanguage(): Language {
  const saved = localStorage.getItem(LANGUAGE);
  if (saved === "en" || saved === "th") return saved;
  return navigator.language.toLowerCase().startsWith("th") ? "th" : "en";
}

export function saveLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
}
