// Instructions to connect a client, the same as `sanya connect` prints.
import { useState } from "preact/hooks";
import { getJson } from "../../api";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, Choices, CodeBlock, LoadedView, InlineCode } from "../../parts";
import { TEXTS } from "./texts";

interface Client {
  name: string;
  title: string;
  steps: string;
  steps_th: string;
  command: string | null;
  stdio: Record<string, unknown> | string | null;
  http: Record<string, unknown> | string | null;
}

interface Clients {
  address: string;
  needs_key: boolean;
  clients: Client[];
}

const OTHER = "other";

export function Connect() {
  const texts = useTexts(TEXTS);
  const loaded = useLoaded((signal) => getJson<Clients>("/console/api/clients", { signal }), []);
  return (
    <Card title={texts.connect}>
      <p class="dim connect-lead">
        <InlineCode text={texts.connectLead} />
      </p>
      <LoadedView loaded={loaded}>{(clients) => <ClientInstructions clients={clients} />}</LoadedView>
    </Card>
  );
}

function ClientInstructions({ clients }: { clients: Clients }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const [name, setName] = useState(clients.clients[0]?.name ?? OTHER);
  const [transport, setTransport] = useState<"stdio" | "http">("stdio");
  const client = clients.clients.find((candidate) => candidate.name === name);
  const steps = (language === "th" ? client?.steps_th : client?.steps) ?? "";
  const options: [string, string][] = [...clients.clients.map((option): [string, string] => [option.name, option.title]), [OTHER, texts.generic]];
  const transports = (["stdio", "http"] as const).filter((transport) => client?.[transport]);
  const selected = transports.includes(transport) ? transport : transports[0];
  return (
    <div class="stack connect">
      <Choices label={texts.client} value={name} options={options} onValue={setName} />
      {client && selected && (
        <>
          {transports.length > 1 && (
            <Choices label={texts.way} value={selected} options={transports.map((transport) => [transport, texts[transport]])} onValue={setTransport} />
          )}
          <div class="columns">
            <div class="stack">
              {client.command && (
                <div class="labelled">
                  <h3>{texts.oneLine}</h3>
                  <CodeBlock text={selected === "http" ? `${client.command} --http ${clients.address}` : client.command} label={texts.oneLine} />
                </div>
              )}
              <p class="dim"><InlineCode text={steps} /></p>
              {selected === "http" && clients.needs_key && <p class="dim"><InlineCode text={texts.needsKey} /></p>}
            </div>
            <div class="labelled">
              <h3>{texts.file}</h3>
              <CodeBlock text={formatFile(client[selected])} label={texts.file} />
            </div>
          </div>
        </>
      )}
      {client && !selected && (
        <div class="labelled">
          <p class="dim steps"><InlineCode text={steps} /></p>
          <CodeBlock text={clients.address} label={texts.address} />
        </div>
      )}
      {!client && <GenericInstructions clients={clients} />}
    </div>
  );
}

/** Files in JSON come as data, others as their text. */
function formatFile(content: Record<string, unknown> | string | null): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function GenericInstructions({ clients }: { clients: Clients }) {
  const texts = useTexts(TEXTS);
  const start = clients.clients.find((client) => client.stdio)?.stdio as { mcpServers: { sanya: { command: string; args: string[] } } } | undefined;
  const program = start && [start.mcpServers.sanya.command, ...start.mcpServers.sanya.args].join(" ");
  return (
    <div class="labelled">
      <p class="dim">{texts.genericSteps}</p>
      <CodeBlock text={clients.address} label={texts.address} />
      {program && <CodeBlock text={program} label={texts.stdio} />}
    </div>
  );
}
