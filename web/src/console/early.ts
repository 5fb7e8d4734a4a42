// Runs before the first paint, so that the dark theme does not flash white.
import { applyTheme, loadLanguage, loadTheme } from "./preferences";

applyTheme(loadTheme());
document.documentElement.lang = loadLanguage();
