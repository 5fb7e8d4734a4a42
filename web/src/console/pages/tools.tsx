// Every tool: found on the left, looked at and run on the right.
import { useState } from "preact/hooks";
import { getJson } from "../api";
import { useWords } from "../language";
import { useLoaded } from "../loading";
import { Badge, Choices, Empty, PageHead, Shown, TextField } from "../parts";
import type { PageProps } from "../routes";
import { to } from "../router";
import { may, useSession } from "../session";
import type { Catalogue, ToolContract } from "./tools/contract";
import { WORDS } from "./tools/words";
import { Workbench } from "./tools/workbench";

export default function Tools({ path }: PageProps) {
  const words = useWords(WORDS);
  const loaded = useLoaded((signal) => getJson<Catalogue>("/tools", { signal }), []);
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Shown loaded={loaded}>{(catalogue) => <Shelf catalogue={catalogue} name={path[0] ?? null} />}</Shown>
    </>
  );
}

function Shelf({ catalogue, name }: { catalogue: Catalogue; name: string | null }) {
  const words = useWords(WORDS);
  const session = useSession();
  const [text, setText] = useState("");
  const [suite, setSuite] = useState("");
  const open = catalogue.tools.filter((tool) => tool.scopes.every((scope) => may(session, scope)));
  const hidden = catalogue.tools.length - open.length;
  const shown = open.filter((tool) => (suite === "" || tool.suite === suite) && isMeant(tool, text));
  const chosen = open.find((tool) => tool.name === name || tool.portable_name === name);
  const suites = catalogue.suites.filter((one) => open.some((tool) => tool.suite === one.name));
  return (
    <div class={chosen ? "shelf chosen" : "shelf"}>
      <div class="shelf-list">
        <TextField label={words.find} type="search" value={text} placeholder={words.findHint} onValue={setText} />
        <Choices label={words.suite} value={suite} options={[["", words.all], ...suites.map((one): [string, string] => [one.name, one.title])]} onValue={setSuite} />
        <ul>
          {shown.map((tool) => (
            <li key={tool.name}>
              <a href={to("tools", [tool.name])} aria-current={tool === chosen ? "true" : undefined}>
                <code>{tool.name}</code> {tool.effect === "write" && <Badge tone="note">{words.write}</Badge>}
                <small>{tool.title}</small>
              </a>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p class="dim">{words.none}</p>}
        {hidden > 0 && <p class="dim">{words.hidden(hidden)}</p>}
      </div>
      <div class="shelf-tool">
        {chosen ? (
          <>
            <a class="shelf-back" href={to("tools")}>
              ‹ {words.back}
            </a>
            <Workbench key={chosen.name} tool={chosen} />
          </>
        ) : (
          <Empty title={name === null ? words.choose : words.none} />
        )}
      </div>
    </div>
  );
}

function isMeant(tool: ToolContract, text: string): boolean {
  const told = `${tool.name} ${tool.title} ${tool.description}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => told.includes(word));
}
