import { useEffect, useRef, useState } from "preact/hooks";
import { useLanguage } from "../../language";
import { type HostContext, type Widget, connectWidget } from "./widget_bridge";

const FIRST_HEIGHT = 320;
const MOST_HEIGHT = 1600;

/** A widget with the answer to one call. Its height follows its content. */
export function WidgetFrame({ name, title, tool, input }: { name: string; title: string; tool: string; input: Record<string, unknown> }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const widget = useRef<Widget | null>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const context = useHostContext();
  useEffect(() => {
    if (!frame.current) return;
    const connected = connectWidget(frame.current, context, (reported) => setHeight(Math.min(Math.max(reported, 120), MOST_HEIGHT)));
    widget.current = connected;
    // Set the URL after connecting, so that no message of the page is missed.
    frame.current.src = `/console/widgets/${name}`;
    return () => connected.close();
  }, []);
  useEffect(() => widget.current?.updateContext(context), [context.theme, context.locale]);
  useEffect(() => widget.current?.show(tool, input), [tool, JSON.stringify(input)]);
  return <iframe ref={frame} class="widget" title={title} sandbox="allow-scripts allow-downloads" style={{ height: `${height}px` }} />;
}

function useHostContext(): HostContext {
  const language = useLanguage();
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => {
    const look = () => setTheme(currentTheme());
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

function currentTheme(): "light" | "dark" {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
