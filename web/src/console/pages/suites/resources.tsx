// The resources of a suite as cards: a plain one with its content, a template with a field for each part of its address.
import { useState } from "preact/hooks";
import { getJson, isObject } from "../../api";
import { useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { AutocompleteField, Card, CodeBlock, Facts, LoadedView, TextField } from "../../parts";
import { JsonTable, JsonTree } from "../../parts/json";
import { buildHref, navigate } from "../../router";
import { type SuiteResource, fillAddress } from "./suite";
import { SUITES } from "./texts";

export function ResourceCard({ suite, resource }: { suite: string; resource: SuiteResource }) {
  return (
    <Card title={resource.title}>
      <div class="stack tight-stack">
        <p class="dim">
          {resource.description} <code>{resource.uri}</code>
        </p>
        {resource.parts.length > 0 ? <AddressForm suite={suite} resource={resource} /> : <ResourceContent uri={resource.uri} />}
      </div>
    </Card>
  );
}

function AddressForm({ suite, resource }: { suite: string; resource: SuiteResource }) {
  const texts = useTexts(SUITES);
  const [parts, setParts] = useState<Record<string, string>>({});
  const isFilled = (filled: Record<string, string>) => resource.parts.every(({ name }) => filled[name]?.trim());
  const open = (filled: Record<string, string>) => isFilled(filled) && navigate(buildHref("suites", [suite, "resource"], { uri: fillAddress(resource.uri, filled) }));
  const put = (name: string, value: string) => setParts({ ...parts, [name]: value });
  return (
    <form
      class="resource-form"
      onSubmit={(event) => {
        event.preventDefault();
        open(parts);
      }}
    >
      {resource.parts.map(({ name, completes }) =>
        completes ? (
          <AutocompleteField
            key={name}
            label={name}
            completions={{ prompt: resource.uri, argument: name }}
            value={parts[name] ?? ""}
            onValue={(value) => put(name, value)}
            onChoose={(value) => {
              put(name, value);
              open({ ...parts, [name]: value });
            }}
          />
        ) : (
          <TextField key={name} label={name} required value={parts[name] ?? ""} onValue={(value) => put(name, value)} />
        ),
      )}
      <button type="submit" disabled={!isFilled(parts)}>
        {texts.read}
      </button>
    </form>
  );
}

/** What stands at an address: fields as facts, lists of objects as tables, texts as they are. */
export function ResourceContent({ uri }: { uri: string }) {
  const loaded = useLoaded((signal) => getJson<{ data: Record<string, unknown> }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((answer) => answer.data), [uri]);
  return <LoadedView loaded={loaded}>{(data) => <Content data={data} file={nameFile(uri)} />}</LoadedView>;
}

function Content({ data, file }: { data: Record<string, unknown>; file: string }) {
  if (typeof data.text === "string" && typeof data.mime_type === "string") return <CodeBlock text={data.text} label={data.mime_type} wrap />;
  const fields = Object.entries(data);
  const plain = fields.filter(([, value]) => !isObject(value) && !Array.isArray(value));
  const nested = fields.filter(([, value]) => isObject(value) || Array.isArray(value));
  return (
    <div class="stack tight-stack">
      <Facts facts={plain.map(([name, value]) => [name.replaceAll("_", " "), value === null ? "–" : String(value)])} />
      {nested.map(([name, value]) =>
        Array.isArray(value) && value.length > 0 && value.every(isObject) ? (
          <JsonTable key={name} rows={value} label={name} file={`${file}-${name}`} />
        ) : (
          <JsonTree key={name} name={name} value={value} />
        ),
      )}
    </div>
  );
}

function nameFile(uri: string): string {
  return uri.replace(/\W+/g, "-").slice(0, 60);
}
