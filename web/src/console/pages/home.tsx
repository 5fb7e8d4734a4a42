// The home page: holdings, health, recent calls, and how to connect a client.
import { getJson } from "../api";
import { formatRelative, formatCount, formatDay, formatDuration, formatDateTime } from "../format";
import { type Language, useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Badge, Card, Empty, Icon, PageHead, LoadedView } from "../parts";
import { CallStatus } from "../parts/call_status";
import { buildHref } from "../router";
import { useSession } from "../session";
import { Connect } from "./home/connect";
import { FirstSteps } from "./home/first_steps";
import { TEXTS } from "./home/texts";

interface Holding {
  suite: string;
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

/** The page that shows a suite's data. */
const PAGES = { tasks: "tasks", funds: "funds", memory: "memory", herbs: "herbs", papers: "papers" } as const;
const ENDPOINTS = ["/mcp", "/tools", "/graphql"];
const RECENT_CALLS = 6;

export default function Home() {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const holdings = useLoaded((signal) => getJson<{ suites: Holding[] }>("/console/api/holdings", { signal }), []);
  const health = useLoaded((signal) => getJson<Health>("/health", { signal }), []);
  const recent = useLoaded((signal) => getJson<{ calls: Call[]; own_only: boolean }>(`/console/api/ledger?own_reads=hidden&limit=${RECENT_CALLS}`, { signal }), []);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {health.value && (
          <Badge tone="good">
            <Icon name="check" /> {texts.well}
          </Badge>
        )}
        {health.error && <Badge tone="bad">{texts.unwell}</Badge>}
      </PageHead>
      <div class="stack home">
        <FirstSteps hasSamples={holdings.value?.suites.some((suite) => suite.sample) ?? false} />
        <LoadedView loaded={holdings}>
          {({ suites }) => (
            <div class="suites">
              {suites.map((holding) => (
                <Suite key={holding.suite} holding={holding} />
              ))}
            </div>
          )}
        </LoadedView>
        <div class="columns">
          <Card title={texts.health} aside={health.value && `Sanya ${session.version}`}>
            <LoadedView loaded={health}>
              {({ checks, tools, suites }) => (
                <ul class="checks">
                  {Object.entries(checks).map(([name, state]) => (
                    <li key={name}>
                      <span>{texts.checks[name as keyof typeof texts.checks] ?? name}</span>
                      <Badge tone={state === "ok" ? "good" : "bad"}>{state === "ok" ? texts.fine : state}</Badge>
                    </li>
                  ))}
                  <li>
                    <span>{texts.served}</span>
                    <a href={buildHref("tools")}>{texts.toolsOf(tools, suites)}</a>
                  </li>
                  <li>
                    <span>{texts.access}</span>
                    <span>{session.open ? texts.openAccess : texts.keyAccess}</span>
                  </li>
                  <li>
                    <span>{texts.ways}</span>
                    <span class="ways">
                      {ENDPOINTS.map((way) => (
                        <code key={way}>{way}</code>
                      ))}
                      <a href="/graphiql">GraphiQL</a>
                    </span>
                  </li>
                </ul>
              )}
            </LoadedView>
          </Card>
          <Card title={recent.value?.own_only ? texts.latelyOwn : texts.lately} aside={<a href={buildHref("ledger")}>{texts.all}</a>}>
            <LoadedView loaded={recent}>{({ calls }) => <RecentCalls calls={calls} />}</LoadedView>
          </Card>
        </div>
        <Connect />
      </div>
    </>
  );
}

function Suite({ holding }: { holding: Holding }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const title = texts.suites[holding.suite as keyof typeof texts.suites] ?? holding.title;
  const page = PAGES[holding.suite as keyof typeof PAGES];
  const address = page ? buildHref(page) : buildHref("suites", [holding.suite]);
  const [main, ...others] = Object.entries(holding.counts);
  const name = (key: string, count: number) => nameCounted(texts.counted[key as keyof typeof texts.counted] ?? key, count, language);
  return (
    <section class="card suite">
      <h2>{title}</h2>
      {main && (
        <p class="big">
          <strong>{formatCount(main[1], language)}</strong> {name(main[0], main[1])}
        </p>
      )}
      <p class="dim">
        {others.map(([key, value]) => `${formatCount(value, language)} ${name(key, value)}`).join(" · ")}
      </p>
      {holding.sample && (
        <p>
          {holding.suite === "herbs" ? <Badge>{texts.shipped}</Badge> : <Badge tone="note">{texts.sample}</Badge>}
        </p>
      )}
      <p class="foot">
        <small>{holding.as_of ? `${texts.asOf} ${formatDay(holding.as_of, language)}` : holding.revision > 0 && `${texts.revision} ${holding.revision}`}</small>
        <a href={address} aria-label={`${texts.open} ${title}`}>
          {texts.open} <Icon name="right" />
        </a>
      </p>
    </section>
  );
}

/** English has one memory and two memories; Thai nouns stay as they are. */
function nameCounted(name: string, count: number, language: Language): string {
  if (language !== "en" || count !== 1) return name;
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/([^su])s$/, "$1");
}

function RecentCalls({ calls }: { calls: Call[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  if (calls.length === 0) return <Empty title={texts.quiet}>{texts.quietHint}</Empty>;
  return (
    <ul class="lately">
      {calls.map((call) => (
        <li key={call.id}>
          <a href={buildHref("ledger", [call.id])}>
            <code>{call.tool}</code>
          </a>
          <CallStatus status={call.status} fault={call.fault} />
          <small class="figure">{formatDuration(call.latency_ms, language)}</small>
          <small>{call.surface}</small>
          <small title={formatDateTime(call.at, language)}>{formatRelative(call.at, language)}</small>
        </li>
      ))}
    </ul>
  );
}
