// Code blocks with a copy button.
import { useState } from "preact/hooks";
import { useTexts } from "../language";
import { SHELL } from "../texts";
import { Icon } from "./icon";

const SHOWN_MS = 1500;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const texts = useTexts(SHELL);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <Icon name={copied ? "check" : "copy"} />
      <span aria-live="polite">{copied ? texts.copied : (label ?? texts.copy)}</span>
    </button>
  );
}

/** `wrap` breaks long lines, for text that is read rather than run. */
export function CodeBlock({ text, label, wrap }: { text: string; label: string; wrap?: boolean }) {
  return (
    <div class={`${text.includes("\n") ? "code" : "code one-line"}${wrap ? " wrapped" : ""}`}>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** Copies text. The Clipboard API is not available on plain HTTP from another machine; execCommand is. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted; try execCommand.
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
