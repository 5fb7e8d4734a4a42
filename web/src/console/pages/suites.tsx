// The page that every suite gets without writing one: its lists, its tools as forms, its resources as cards.
// `#/suites`, `#/suites/glossary`, `#/suites/glossary/resource?uri=glossary%3A%2F%2Fterms%2FSLA`.
import { useState } from "preact/hooks";
import { useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Badge, Card, LoadedView, PageHead } from "../parts";
import { buildHref } from "../router";
import type { PageProps } from "../routes";
import { hasScope, useSession, useSuiteNames } from "../session";
import { SuiteList } from "./suites/lists";
import { ResourceCard, ResourceContent } from "./suites/resources";
import { type SuiteDescription, isListing, loadSuite, takesArguments } from "./suites/suite";
import { SUITES } from "./suites/texts";
import type { ToolContract } from "./tools/contract";
import { ToolForm } from "./tools/workbench";

export default function Suites({ path, params }: PageProps) {
  const [name, part] = path;
  if (name === undefined) return <AllSuites />;
  if (part === "resource") return <ResourcePage key={name} name={name} uri={params.get("uri") ?? ""} />;
  return <SuitePage key={name} name={name} />;
}

function AllSuites() {
  const texts = useTexts(SUITES);
  const session = useSession();
  const nameSuite = useSuiteNames();
  const readable = session.suites.filter((suite) => hasScope(session, `${suite.name}:read`));
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <ul class="grid">
        {readable.map((suite) => (
          <li key={suite.name}>
            <Card title={nameSuite(suite)} aside={suite.has_own_page ? <Badge>{texts.builtIn}</Badge> : <Badge tone="brand">{texts.guest}</Badge>}>
              <p class="row">
                <code>{suite.name}</code>
                <a href={suite.has_own_page ? buildHref(suite.name) : buildHref("suites", [suite.name])} aria-label={`${texts.open} ${nameSuite(suite)}`}>
                  {texts.open}
                </a>
              </p>
            </Card>
          </li>
        ))}
      </ul>
    </>
  );
}

function SuitePage({ name }: { name: string }) {
  const texts = useTexts(SUITES);
  const session = useSession();
  const known = session.suites.find((suite) => suite.name === name);
  const language = useLanguage();
  const nameSuite = useSuiteNames();
  const loaded = useLoaded((signal) => loadSuite(name, language, signal), [name, language]);
  const from = loaded.value?.package;
  const lead = loaded.value ? [from ? texts.fromPackage(from.name, from.version) : texts.builtIn, texts.tools(loaded.value.tools.length)].join(" · ") : undefined;
  return (
    <>
      <PageHead title={known ? nameSuite(known) : name} lead={lead} />
      <LoadedView loaded={loaded}>{(suite) => <SuiteContent suite={suite} />}</LoadedView>
    </>
  );
}

function SuiteContent({ suite }: { suite: SuiteDescription }) {
  const texts = useTexts(SUITES);
  const session = useSession();
  const [writes, setWrites] = useState(0);
  const mayCall = (tool: ToolContract) => tool.scopes.every((scope) => hasScope(session, scope));
  const tools = suite.tools.filter(mayCall);
  const lists = tools.filter(isListing);
  return (
    <div class="stack">
      {lists.map((tool) => (
        <SuiteList key={tool.name} tool={tool} resources={suite.resources} writes={writes} />
      ))}
      {suite.resources.length > 0 && <h2>{texts.resources}</h2>}
      {suite.resources.length > 0 && (
        <div class="halves">
          {suite.resources.map((resource) => (
            <ResourceCard key={resource.uri} suite={suite.name} resource={resource} />
          ))}
        </div>
      )}
      <h2>{texts.toolForms}</h2>
      {tools
        .filter((tool) => !lists.includes(tool) || takesArguments(tool))
        .map((tool) => (
          <section key={tool.name} class="stack tight-stack suite-tool" aria-label={`${tool.title} (${tool.name})`}>
            <ToolForm tool={tool} title={tool.title} lead={tool.description} onDone={() => tool.effect === "write" && setWrites((count) => count + 1)} />
          </section>
        ))}
      {suite.prompts.length > 0 && <Prompts suite={suite} />}
    </div>
  );
}

function Prompts({ suite }: { suite: SuiteDescription }) {
  const texts = useTexts(SUITES);
  return (
    <Card title={texts.prompts}>
      <ul class="stack tight-stack">
        {suite.prompts.map((prompt) => (
          <li key={prompt.name}>
            <strong>{prompt.title}</strong> <code>{prompt.name}</code>
            <p class="dim">
              {prompt.description} {texts.promptsHint} {prompt.arguments.map((argument) => argument.name).join(", ") || texts.nothing}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ResourcePage({ name, uri }: { name: string; uri: string }) {
  const session = useSession();
  const suite = session.suites.find((known) => known.name === name);
  const last = decodeURIComponent(uri.split("/").pop() ?? uri);
  return (
    <>
      <a class="back" href={buildHref("suites", [name])}>
        ‹ {suite?.title ?? name}
      </a>
      <PageHead title={last || name} lead={<code>{uri}</code>} />
      <Card>
        <ResourceContent uri={uri} />
      </Card>
    </>
  );
}
