// How a client is connected: the same words that `sanya connect` writes.
import { useState } from "preact/hooks";
import { getJson } from "../../api";
import { useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Card, Choices, CodeBlock, Shown, Told } from "../../parts";
import { WORDS } from "./words";

interface Client {
  name: string;
  title: string;
  steps: string;
  command: string | null;
  stdio: Record<string, unknown> | null;
  http: Record<string, unknown> | null;
}

interface Clients {
  address: string;
  needs_key: boolean;
  clients: Client[];
}

const OTHER = "other";

export function Connect() {
  const words = useWords(WORDS);
  const loaded = useLoaded((signal) => getJson<Clients>("/console/api/clients", { signal }), []);
  return (
    <Card title={words.connect}>
      <p class="dim connect-lead">
        <Told text={words.connectLead} />
      </p>
      <Shown loaded={loaded}>{(found) => <Chosen found={found} />}</Shown>
    </Card>
  );
}

function Chosen({ found }: { found: Clients }) {
  const words = useWords(WORDS);
  const [name, setName] = useState(found.clients[0]?.name ?? OTHER);
  const [way, setWay] = useState<"stdio" | "http">("stdio");
  const client = found.clients.find((one) => one.name === name);
  const options: [string, string][] = [...found.clients.map((one): [string, string] => [one.name, one.title]), [OTHER, words.generic]];
  const ways = (["stdio", "http"] as const).filter((one) => client?.[one]);
  const shown = ways.includes(way) ? way : ways[0];
  return (
    <div class="stack connect">
      <Choices label={words.client} value={name} options={options} onValue={setName} />
      {client && shown && (
        <>
          {ways.length > 1 && (
            <Choices label={words.way} value={shown} options={ways.map((one) => [one, words[one]])} onValue={setWay} />
          )}
          <div class="columns">
            <div class="stack">
              {client.command && (
                <div class="labelled">
                  <h3>{words.oneLine}</h3>
                  <CodeBlock text={shown === "http" ? `${client.command} --http ${found.address}` : client.command} label={words.oneLine} />
                </div>
              )}
              <p class="dim"><Told text={client.steps} /></p>
              {shown === "http" && found.needs_key && <p class="dim"><Told text={words.needsKey} /></p>}
            </div>
            <div class="labelled">
              <h3>{words.file}</h3>
              <CodeBlock text={JSON.stringify(client[shown], null, 2)} label={words.file} />
            </div>
          </div>
        </>
      )}
      {client && !shown && (
        <div class="labelled">
          <p class="dim steps"><Told text={client.steps} /></p>
          <CodeBlock text={found.address} label={words.address} />
        </div>
      )}
      {!client && <Generic found={found} />}
    </div>
  );
}

function Generic({ found }: { found: Clients }) {
  const words = useWords(WORDS);
  const start = found.clients.find((one) => one.stdio)?.stdio as { mcpServers: { sanya: { command: string; args: string[] } } } | undefined;
  const program = start && [start.mcpServers.sanya.command, ...start.mcpServers.sanya.args].join(" ");
  return (
    <div class="labelled">
      <p class="dim">{words.genericSteps}</p>
      <CodeBlock text={found.address} label={words.address} />
      {program && <CodeBlock text={program} label={words.stdio} />}
    </div>
  );
}
