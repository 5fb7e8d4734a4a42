// A report in a sandboxed frame without scripts. The page fetches it with the key, which a frame cannot send.
import { useRef, useState } from "preact/hooks";
import { getText } from "../../api";
import { useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { PageHead, LoadedView } from "../../parts";
import { buildHref } from "../../router";
import { type SavedSection, ReportSaves, listSavedSections } from "./saves";
import { TEXTS } from "./texts";

interface ReportParts {
  page: string;
  style: string;
}

export function Report({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const loaded = useLoaded(async (signal) => splitReport(await getText(`/evaluations/${encodeURIComponent(id)}`, { signal })), [id]);
  return (
    <>
      <a class="back" href={buildHref("evaluation")}>
        ‹ {texts.back}
      </a>
      <PageHead title={texts.report} />
      <LoadedView loaded={loaded}>{(parts) => <ReportFrame parts={parts} />}</LoadedView>
    </>
  );
}

function ReportFrame({ parts }: { parts: ReportParts }) {
  const texts = useTexts(TEXTS);
  const frame = useRef<HTMLIFrameElement>(null);
  const [sections, setSections] = useState<SavedSection[]>([]);
  const applyStyle = () => {
    const inside = frame.current?.contentDocument;
    const made = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
    if (!frame.current || !inside || !made) return;
    const sheet = new made.CSSStyleSheet();
    sheet.replaceSync(parts.style);
    inside.adoptedStyleSheets = [sheet];
    frame.current.style.height = `${inside.documentElement.scrollHeight + 8}px`;
    setSections(listSavedSections(inside));
  };
  // Same origin, so that we can apply its style; no scripts, so that its content can do nothing.
  return (
    <div class="stack">
      <ReportSaves sections={sections} />
      <iframe ref={frame} class="report" title={texts.report} sandbox="allow-same-origin" srcdoc={parts.page} onLoad={applyStyle} />
    </div>
  );
}

/** Splits a report into its page and its style, because our policy applies in the frame and blocks inline styles. */
function splitReport(html: string): ReportParts {
  const style: string[] = [];
  const page = html
    .replace(/<style>([\s\S]*?)<\/style>/gi, (_, text: string) => {
      style.push(text);
      return "";
    })
    .replace(/<meta[^>]*content-security-policy[^>]*>/gi, "");
  return { page, style: style.join("\n") };
}
