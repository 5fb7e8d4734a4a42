// A report in a frame where nothing runs. It is fetched with the key, which a frame could not send by itself.
import { useRef } from "preact/hooks";
import { getText } from "../../api";
import { useWords } from "../../language";
import { useLoaded } from "../../loading";
import { PageHead, Shown } from "../../parts";
import { to } from "../../router";
import { WORDS } from "./words";

interface Parts {
  page: string;
  style: string;
}

export function Report({ id }: { id: string }) {
  const words = useWords(WORDS);
  const loaded = useLoaded(async (signal) => parted(await getText(`/evaluations/${encodeURIComponent(id)}`, { signal })), [id]);
  return (
    <>
      <a class="back" href={to("evaluation")}>
        ‹ {words.back}
      </a>
      <PageHead title={words.report} />
      <Shown loaded={loaded}>{(parts) => <Framed parts={parts} />}</Shown>
    </>
  );
}

function Framed({ parts }: { parts: Parts }) {
  const words = useWords(WORDS);
  const frame = useRef<HTMLIFrameElement>(null);
  const dress = () => {
    const inside = frame.current?.contentDocument;
    const made = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
    if (!frame.current || !inside || !made) return;
    const sheet = new made.CSSStyleSheet();
    sheet.replaceSync(parts.style);
    inside.adoptedStyleSheets = [sheet];
    frame.current.style.height = `${inside.documentElement.scrollHeight + 8}px`;
  };
  // Same origin, so that we may dress it; without scripts, so that nothing in it may do anything.
  return <iframe ref={frame} class="report" title={words.report} sandbox="allow-same-origin" srcdoc={parts.page} onLoad={dress} />;
}

/** The page without its style and its policy, and the style: our policy holds inside the frame and lets no style in text. */
function parted(html: string): Parts {
  const style: string[] = [];
  const page = html
    .replace(/<style>([\s\S]*?)<\/style>/gi, (_, text: string) => {
      style.push(text);
      return "";
    })
    .replace(/<meta[^>]*content-security-policy[^>]*>/gi, "");
  return { page, style: style.join("\n") };
}
