// The tool browser: the list on the left, the selected tool on the right.
import { useState } from "preact/hooks";
import { getJson } from "../api";
import { useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Badge, Choices, Empty, PageHead, LoadedView, TextField } from "../parts";
import type { PageProps } from "../routes";
import { buildHref } from "../router";
import { hasScope, useSession, useSuiteNames } from "../session";
import type { Catalogue, ToolContract } from "./tools/contract";
import { TEXTS } from "./tools/texts";
import { Workbench } from "./tools/workbench";

export default function Tools({ path }: PageProps) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => getJson<Catalogue>(`/tools?lang=${language}`, { signal }), [language]);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <LoadedView loaded={loaded}>{(catalogue) => <ToolBrowser catalogue={catalogue} name={path[0] ?? null} />}</LoadedView>
    </>
  );
}

function ToolBrowser({ catalogue, name }: { catalogue: Catalogue; name: string | null }) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const nameSuite = useSuiteNames();
  const [text, setText] = useState("");
  const [suite, setSuite] = useState("");
  const open = catalogue.tools.filter((tool) => tool.scopes.every((scope) => hasScope(session, scope)));
  const hidden = catalogue.tools.length - open.length;
  const matching = open.filter((tool) => (suite === "" || tool.suite === suite) && matchesText(tool, text));
  const chosen = open.find((tool) => tool.name === name || tool.portable_name === name);
  const barred = chosen ? undefined : catalogue.tools.find((tool) => tool.name === name || tool.portable_name === name);
  const suites = catalogue.suites.filter((entry) => open.some((tool) => tool.suite === entry.name));
  return (
    <div class={name !== null ? "tool-browser chosen" : "tool-browser"}>
      <div class="tool-list">
        <TextField label={texts.find} type="search" value={text} placeholder={texts.findHint} onValue={setText} />
        <Choices label={texts.suite} value={suite} options={[["", texts.all], ...suites.map((entry): [string, string] => [entry.name, nameSuite(entry)])]} onValue={setSuite} />
        <ul>
          {matching.map((tool) => (
            <li key={tool.name}>
              <a href={buildHref("tools", [tool.name])} aria-current={tool === chosen ? "true" : undefined}>
                <code>{tool.name}</code> {tool.effect === "write" && <Badge tone="note">{texts.write}</Badge>}
                <small>{tool.title}</small>
              </a>
            </li>
          ))}
        </ul>
        {matching.length === 0 && <p class="dim">{texts.none}</p>}
        {hidden > 0 && <p class="dim">{texts.hidden(hidden)}</p>}
      </div>
      <div class="tool-panel">
        {name !== null && (
          <a class="tool-back" href={buildHref("tools")}>
            ‹ {texts.back}
          </a>
        )}
        {chosen && <Workbench key={chosen.name} tool={chosen} />}
        {barred && (
          <Empty title={texts.barred}>
            {texts.needed} <code>{barred.scopes.join(" ")}</code>
          </Empty>
        )}
        {!chosen && !barred && <Empty title={name === null ? texts.choose : texts.none} />}
      </div>
    </div>
  );
}

function matchesText(tool: ToolContract, text: string): boolean {
  const searchable = `${tool.name} ${tool.title} ${tool.description}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => searchable.includes(word));
}
