// The first page: what is loaded, whether all is well, what happened lately, and how a client is connected.
import { getJson } from "../api";
import { ago, count, day, milliseconds, moment } from "../format";
import { useLanguage, useWords } from "../language";
import { useLoaded } from "../loading";
import { Badge, Card, Empty, Icon, PageHead, Shown } from "../parts";
import { ROUTES } from "../routes";
import { to } from "../router";
import { useSession } from "../session";
import { Connect } from "./home/connect";
import { WORDS } from "./home/words";

interface Holding {
  suite: keyof typeof PAGES;
  title: string;
  counts: Record<string, number>;
  as_of: string | null;
  revision: number;
  sample: boolean;
}

interface Call {
  seq: number;
  id: string;
  at: string;
  tool: string;
  surface: string;
  latency_ms: number;
  status: string;
  fault: string | null;
}

interface Health {
  version: string;
  checks: Record<string, string>;
  suites: number;
  tools: number;
}

/** Which page shows a suite's data. */
const PAGES = { tasks: "tasks", funds: "funds", memory: "memory", herbs: "herbs", papers: "search" } as const;
const WAYS = ["/mcp", "/tools", "/graphql"];
const LATELY = 6;

export default function Home() {
  const words = useWords(WORDS);
  const session = useSession();
  const holdings = useLoaded((signal) => getJson<{ suites: Holding[] }>("/console/api/holdings", { signal }), []);
  const health = useLoaded((signal) => getJson<Health>("/health", { signal }), []);
  const lately = useLoaded((signal) => getJson<{ calls: Call[]; own_only: boolean }>(`/console/api/ledger?limit=${LATELY}`, { signal }), []);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {health.value && (
          <Badge tone="good">
            <Icon name="check" /> {words.well}
          </Badge>
        )}
        {health.error && <Badge tone="bad">{words.unwell}</Badge>}
      </PageHead>
      <div class="stack home">
        <Shown loaded={holdings}>
          {({ suites }) => (
            <div class="suites">
              {suites.map((one) => (
                <Suite key={one.suite} holding={one} />
              ))}
            </div>
          )}
        </Shown>
        <div class="columns">
          <Card title={words.health} aside={health.value && `Sanya ${session.version}`}>
            <Shown loaded={health}>
              {({ checks, tools, suites }) => (
                <ul class="checks">
                  {Object.entries(checks).map(([name, state]) => (
                    <li key={name}>
                      <span>{words.checks[name as keyof typeof words.checks] ?? name}</span>
                      <Badge tone={state === "ok" ? "good" : "bad"}>{state}</Badge>
                    </li>
                  ))}
                  <li>
                    <span>{words.served}</span>
                    <a href={to("tools")}>{words.toolsOf(tools, suites)}</a>
                  </li>
                  <li>
                    <span>{words.access}</span>
                    <span>{session.open ? words.openAccess : words.keyAccess}</span>
                  </li>
                  <li>
                    <span>{words.ways}</span>
                    <span class="ways">
                      {WAYS.map((way) => (
                        <code key={way}>{way}</code>
                      ))}
                      <a href="/graphiql">GraphiQL</a>
                    </span>
                  </li>
                </ul>
              )}
            </Shown>
          </Card>
          <Card title={lately.value?.own_only ? words.latelyOwn : words.lately} aside={<a href={to("ledger")}>{words.all}</a>}>
            <Shown loaded={lately}>{({ calls }) => <Lately calls={calls} />}</Shown>
          </Card>
        </div>
        <Connect />
      </div>
    </>
  );
}

function Suite({ holding }: { holding: Holding }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const page = PAGES[holding.suite];
  const isThere = ROUTES.some((route) => route.name === page);
  const [main, ...others] = Object.entries(holding.counts);
  const name = (key: string) => words.counted[key as keyof typeof words.counted] ?? key;
  return (
    <section class="card suite">
      <h2>{words.suites[holding.suite]}</h2>
      {main && (
        <p class="big">
          <strong>{count(main[1], language)}</strong> {name(main[0])}
        </p>
      )}
      <p class="dim">
        {others.map(([key, value]) => `${count(value, language)} ${name(key)}`).join(" · ")}
      </p>
      {holding.sample && (
        <p>
          <Badge tone="note">{words.sample}</Badge>
        </p>
      )}
      <p class="foot">
        <small>{holding.as_of ? `${words.asOf} ${day(holding.as_of, language)}` : holding.revision > 0 && `${words.revision} ${holding.revision}`}</small>
        {isThere && (
          <a href={to(page)} aria-label={`${words.open} ${words.suites[holding.suite]}`}>
            {words.open} <Icon name="right" />
          </a>
        )}
      </p>
    </section>
  );
}

function Lately({ calls }: { calls: Call[] }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  if (calls.length === 0) return <Empty title={words.quiet}>{words.quietHint}</Empty>;
  return (
    <ul class="lately">
      {calls.map((call) => (
        <li key={call.id}>
          <a href={to("ledger", [call.id])}>
            <code>{call.tool}</code>
          </a>
          <Badge tone={call.status === "ok" ? "good" : "bad"}>{call.fault ?? call.status}</Badge>
          <small class="figure">{milliseconds(call.latency_ms, language)}</small>
          <small>{call.surface}</small>
          <small title={moment(call.at, language)}>{ago(call.at, language)}</small>
        </li>
      ))}
    </ul>
  );
}
