// Finds out who shows the page.
import { AppsHost } from "./apps";
import { failed, type Host, type Listener } from "./host";
import { OpenAiHost } from "./openai";

export function connect(): Host {
  if (window.openai) return new OpenAiHost(window.openai);
  if (window.parent !== window) return new AppsHost(window.parent);
  return new Nobody();
}

/** The page was opened by itself: it says so instead of waiting for ever. */
class Nobody implements Host {
  listen(listener: Listener): void {
    listener.onAnswer(failed("This page shows answers inside an AI host.", "Open it from a tool of Sanya."));
  }

  async call(): Promise<never> {
    throw new Error("nobody to call");
  }

  openLink(url: string): void {
    window.open(url, "_blank", "noopener");
  }

  resized(): void {}
}
