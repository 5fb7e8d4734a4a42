// What to try on the first visit. It is closed for good in this browser.
import { useState } from "preact/hooks";
import { useTexts } from "../../language";
import { Icon } from "../../parts";
import type { IconName } from "../../parts/icon";
import { buildHref } from "../../router";
import { hasScope, useSession } from "../../session";
import { TEXTS } from "./texts";

const KEY = "sanya.welcomed";

interface Step {
  icon: IconName;
  title: string;
  text: string;
  address: string;
  scope: string;
}

export function FirstSteps({ hasSamples }: { hasSamples: boolean }) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const [closed, setClosed] = useState(() => localStorage.getItem(KEY) !== null);
  const { safety, ask, own } = texts.steps;
  const steps: Step[] = [
    { icon: "herbs", title: safety.title, text: safety.text, scope: "herbs:read", address: buildHref("herbs", ["safety"], { herbs: "ginkgo-biloba", drugs: "warfarin|aspirin" }) },
    { icon: "search", title: ask.title, text: ask.text, scope: "herbs:read", address: buildHref("search", [], { q: ask.query }) },
    { icon: "import", title: own.title, text: own.text, scope: "*", address: buildHref("import", ["tasks"]) },
  ];
  const allowed = steps.filter((step) => hasScope(session, step.scope));
  if (closed || allowed.length === 0) return null;
  const close = () => {
    localStorage.setItem(KEY, "1");
    setClosed(true);
  };
  return (
    <section class="card first-steps" aria-labelledby="first-steps">
      <div class="card-head">
        <h2 id="first-steps">{texts.firstSteps}</h2>
        <button type="button" class="quiet" aria-label={texts.hide} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <p class="dim">{hasSamples ? texts.firstStepsSamples : texts.firstStepsLead}</p>
      <ol>
        {allowed.map((step) => (
          <li key={step.address}>
            <a href={step.address}>
              <Icon name={step.icon} />
              <strong>{step.title}</strong>
              <span>{step.text}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
