// Detects the host of the widget.
import { AppsHost } from "./apps";
import { failedAnswer, type Host, type Listener } from "./host";
import { OpenAiHost } from "./openai";

export function connect(): Host {
  if (window.openai) return new OpenAiHost(window.openai);
  if (window.parent !== window) return new AppsHost(window.parent);
  return new NoHost();
}

/** The widget was opened outside a host; it says so instead of waiting forever. */
class NoHost implements Host {
  listen(listener: Listener): void {
    listener.onAnswer(failedAnswer("This widget works only inside an AI host.", "Call one of Sanya's fund tools to show it."));
  }

  async call(): Promise<never> {
    throw new Error("no host");
  }

  openLink(url: string): void {
    window.open(url, "_blank", "noopener");
  }

  reportHeight(): void {}
}
