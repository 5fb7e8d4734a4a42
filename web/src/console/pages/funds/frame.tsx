import { useEffect, useRef, useState } from "preact/hooks";
import { useLanguage } from "../../language";
import { type Surroundings, type Widget, connectWidget } from "./bridge";

const FIRST_HEIGHT = 320;
const MOST_HEIGHT = 1600;

/** One widget with the answer to one call. It grows with what it shows. */
export function WidgetFrame({ name, title, tool, input }: { name: string; title: string; tool: string; input: Record<string, unknown> }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const widget = useRef<Widget | null>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const surroundings = useSurroundings();
  useEffect(() => {
    if (!frame.current) return;
    const connected = connectWidget(frame.current, surroundings, (told) => setHeight(Math.min(Math.max(told, 120), MOST_HEIGHT)));
    widget.current = connected;
    // The address is set only now, so that nothing that the page says is missed.
    frame.current.src = `/console/widgets/${name}`;
    return () => connected.close();
  }, []);
  useEffect(() => widget.current?.tell(surroundings), [surroundings.theme, surroundings.locale]);
  useEffect(() => widget.current?.show(tool, input), [tool, JSON.stringify(input)]);
  return <iframe ref={frame} class="widget" title={title} sandbox="allow-scripts" style={{ height: `${height}px` }} />;
}

function useSurroundings(): Surroundings {
  const language = useLanguage();
  const [theme, setTheme] = useState(themeNow);
  useEffect(() => {
    const look = () => setTheme(themeNow());
    const watch = new MutationObserver(look);
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const machine = matchMedia("(prefers-color-scheme: dark)");
    machine.addEventListener("change", look);
    return () => {
      watch.disconnect();
      machine.removeEventListener("change", look);
    };
  }, []);
  return { theme, locale: language === "th" ? "th-TH" : "en-GB" };
}

function themeNow(): "light" | "dark" {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
