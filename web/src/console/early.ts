// Runs before the first paint, so that nobody who chose dark sees a white flash.
import { applyTheme, firstLanguage, keptTheme } from "./kept";

applyTheme(keptTheme());
document.documentElement.lang = firstLanguage();
