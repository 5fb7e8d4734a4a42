// Text to take away.
import { useState } from "preact/hooks";
import { useWords } from "../language";
import { SHELL } from "../words";
import { Icon } from "./icon";

const SHOWN_MS = 1500;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const words = useWords(SHELL);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <Icon name={copied ? "check" : "copy"} />
      <span aria-live="polite">{copied ? words.copied : (label ?? words.copy)}</span>
    </button>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class={text.includes("\n") ? "code" : "code one-line"}>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** The clipboard's own way is closed to pages that came by plain HTTP from another machine; the old one is not. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted: the old way may be.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
