// Operations: calls, errors, times and embedding over the last hours, from the server's own metrics.
import { getJson } from "../api";
import { formatCount, formatDuration, formatRelative, formatTime } from "../format";
import { type Translations, useLanguage, useTexts } from "../language";
import { useInterval, useLoaded } from "../loading";
import { Badge, Card, Choices, type Column, Empty, LoadedView, PageHead, Table } from "../parts";
import { Chart } from "../parts/chart";
import { buildHref, navigate } from "../router";
import type { PageProps } from "../routes";
import { useSuiteNames } from "../session";

interface Minute {
  at: number;
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
  awaiting?: number;
}

interface ToolFigures {
  tool: string;
  calls: number;
  errors: number;
  mean_ms: number;
  p95_ms: number | null;
}

interface Operations {
  started_at: number;
  minutes: Minute[];
  tools: ToolFigures[];
  surfaces: Record<string, number>;
  refused: Record<string, number>;
  embedding: Record<string, { awaiting: number; per_second: number; seconds_left: number | null }> | null;
  engines: { name: string; state: string; outages: number }[];
  ledger_pending: number;
  in_flight: number;
}

const SPANS = ["60", "360", "1440"] as const;
const POLL_MS = 10_000;
const MOST_POINTS = 120;

const en = {
  title: "Operations", lead: "What this server is doing, from its own metrics. Figures begin with its start and are kept for a day; /metrics has them for Prometheus.",
  span: "Time", spans: { "60": "1 hour", "360": "6 hours", "1440": "24 hours" }, since: "Running since", calls: "Calls per minute", errors: "Errors", good: "Answered", times: "Time of a call", p50: "half are faster", p95: "95 % are faster", awaiting: "Documents awaiting vectors", tools: "Tools", tool: "Tool", mean: "Mean", count: "Calls", quiet: "No calls yet", quietHint: "Run a tool, and its figures appear here.",
  engines: "Engines", engine: "Engine", up: "in use", down: "paused after failures", outages: "Outages", embedding: "Embedding", suite: "Suite", left: "Awaiting", speed: "per second", ready: "everything is embedded", surfaces: "Ways in", refused: "Refused requests", none: "none", pending: "Ledger rows waiting", flight: "Requests now", now: "Now", minutesLeft: (text: string) => `about ${text} left`, away: "The database is away.",
};

const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "การทำงาน", lead: "สิ่งที่เซิร์ฟเวอร์กำลังทำ จากตัวเลขของระบบเอง เริ่มนับเมื่อเซิร์ฟเวอร์เริ่ม เก็บไว้หนึ่งวัน และมีที่ /metrics สำหรับ Prometheus",
    span: "ช่วงเวลา", spans: { "60": "1 ชั่วโมง", "360": "6 ชั่วโมง", "1440": "24 ชั่วโมง" }, since: "ทำงานตั้งแต่", calls: "การเรียกต่อนาที", errors: "ผิดพลาด", good: "ตอบแล้ว", times: "เวลาต่อการเรียก", p50: "ครึ่งหนึ่งเร็วกว่า", p95: "95 % เร็วกว่า", awaiting: "เอกสารที่รอเวกเตอร์", tools: "เครื่องมือ", tool: "เครื่องมือ", mean: "เฉลี่ย", count: "ครั้ง", quiet: "ยังไม่มีการเรียก", quietHint: "เรียกเครื่องมือ แล้วตัวเลขจะขึ้นที่นี่",
    engines: "เครื่องยนต์", engine: "เครื่องยนต์", up: "ใช้งานอยู่", down: "พักหลังล้มเหลว", outages: "ครั้งที่ล่ม", embedding: "การทำเวกเตอร์", suite: "ชุด", left: "รออยู่", speed: "ต่อวินาที", ready: "ครบทุกเอกสารแล้ว", surfaces: "ช่องทาง", refused: "คำขอที่ถูกปฏิเสธ", none: "ไม่มี", pending: "แถวบัญชีที่รอเขียน", flight: "คำขอขณะนี้", now: "ขณะนี้", minutesLeft: (text) => `เหลือประมาณ ${text}`, away: "ฐานข้อมูลไม่ตอบ",
  },
};

export default function OperationsPage({ params }: PageProps) {
  const texts = useTexts(TEXTS);
  const span = SPANS.find((name) => name === params.get("minutes")) ?? "60";
  const loaded = useLoaded((signal) => getJson<Operations>(`/console/api/operations?minutes=${span}`, { signal }), [span]);
  useInterval(POLL_MS, true, loaded.reload);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <Choices label={texts.span} value={span} options={SPANS.map((name) => [name, texts.spans[name]])} onValue={(minutes) => navigate(buildHref("operations", [], { minutes: minutes === "60" ? null : minutes }))} />
      </PageHead>
      <LoadedView loaded={loaded}>{(operations) => <Figures operations={operations} />}</LoadedView>
    </>
  );
}

function Figures({ operations }: { operations: Operations }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const points = gather(operations.minutes);
  const axis = points.map((point) => formatTime(point.at * 1000, language));
  const count = (value: number) => formatCount(value, language);
  const duration = (value: number) => formatDuration(value, language);
  return (
    <div class="stack">
      <div class="halves">
        <Card title={texts.calls}>
          <Chart
            label={texts.calls}
            axis={axis}
            floor={0}
            format={count}
            file="calls"
            series={[
              { name: texts.good, kind: "bar", colour: 0, values: points.map((point) => point.calls - point.errors) },
              { name: texts.errors, kind: "bar", colour: 4, values: points.map((point) => point.errors) },
            ]}
          />
        </Card>
        <Card title={texts.times}>
          {points.some((point) => point.p95_ms !== null) ? (
            <Chart
              label={texts.times}
              axis={axis}
              floor={0}
              format={duration}
              file="latency"
              series={[
                { name: texts.p95, colour: 1, values: points.map((point) => point.p95_ms) },
                { name: texts.p50, colour: 2, values: points.map((point) => point.p50_ms) },
              ]}
            />
          ) : (
            <Empty title={texts.quiet}>{texts.quietHint}</Empty>
          )}
        </Card>
      </div>
      <div class="halves">
        <Embedding operations={operations} points={points} axis={axis} />
        <Now operations={operations} />
      </div>
      <Card title={texts.tools}>
        <ToolTable tools={operations.tools} />
      </Card>
    </div>
  );
}

/** Gathers minutes into at most as many points as a chart has room for. */
function gather(minutes: Minute[]): Minute[] {
  const size = Math.ceil(minutes.length / MOST_POINTS);
  if (size <= 1) return minutes;
  const points: Minute[] = [];
  for (let at = 0; at < minutes.length; at += size) {
    const group = minutes.slice(at, at + size);
    const worst = (name: "p50_ms" | "p95_ms") => group.reduce<number | null>((most, minute) => (minute[name] === null ? most : Math.max(most ?? 0, minute[name])), null);
    const sampled = group.filter((minute) => minute.awaiting !== undefined).pop();
    points.push({
      at: group[0]?.at ?? 0,
      calls: Math.round((group.reduce((sum, minute) => sum + minute.calls, 0) / group.length) * 10) / 10,
      errors: Math.round((group.reduce((sum, minute) => sum + minute.errors, 0) / group.length) * 10) / 10,
      p50_ms: worst("p50_ms"),
      p95_ms: worst("p95_ms"),
      ...(sampled?.awaiting === undefined ? {} : { awaiting: sampled.awaiting }),
    });
  }
  return points;
}

function Embedding({ operations, points, axis }: { operations: Operations; points: Minute[]; axis: string[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const nameSuite = useSuiteNames();
  const rows = Object.entries(operations.embedding ?? {});
  const waiting = rows.some(([, status]) => status.awaiting > 0) || points.some((point) => (point.awaiting ?? 0) > 0);
  return (
    <Card title={texts.embedding}>
      {operations.embedding === null && <p class="dim">{texts.away}</p>}
      {operations.embedding !== null && rows.length === 0 && <p class="dim">{texts.ready}</p>}
      {waiting && <p class="dim">{texts.awaiting}</p>}
      {waiting && (
        <Chart label={texts.awaiting} axis={axis} floor={0} format={(value) => formatCount(value, language)} file="awaiting-vectors" series={[{ name: texts.awaiting, kind: "area", colour: 3, values: points.map((point) => point.awaiting ?? null) }]} />
      )}
      <ul class="checks">
        {rows.map(([suite, status]) => (
          <li key={suite}>
            <span>{nameSuite({ name: suite, title: suite })}</span>
            {status.awaiting === 0 ? (
              <Badge tone="good">{texts.ready}</Badge>
            ) : (
              <span>
                {formatCount(status.awaiting, language)} · {formatCount(status.per_second, language)} {texts.speed}
                {status.seconds_left !== null && ` · ${texts.minutesLeft(formatDuration(status.seconds_left * 1000, language))}`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Now({ operations }: { operations: Operations }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${formatCount(count, language)}`)
      .join(" · ") || texts.none;
  return (
    <Card title={texts.now}>
      <ul class="checks">
        <li>
          <span>{texts.since}</span>
          <span>{formatRelative(new Date(operations.started_at * 1000).toISOString(), language)}</span>
        </li>
        <li>
          <span>{texts.flight}</span>
          <span class="figure">{formatCount(operations.in_flight, language)}</span>
        </li>
        <li>
          <span>{texts.pending}</span>
          <span class="figure">{formatCount(operations.ledger_pending, language)}</span>
        </li>
        <li>
          <span>{texts.surfaces}</span>
          <span>{list(operations.surfaces)}</span>
        </li>
        <li>
          <span>{texts.refused}</span>
          <span>{list(operations.refused)}</span>
        </li>
        {operations.engines.map((engine) => (
          <li key={engine.name}>
            <span>
              {texts.engine} {engine.name}
            </span>
            <Badge tone={engine.state === "closed" ? "good" : "bad"}>{engine.state === "closed" ? texts.up : texts.down}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ToolTable({ tools }: { tools: ToolFigures[] }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  if (tools.length === 0) return <Empty title={texts.quiet}>{texts.quietHint}</Empty>;
  const columns: Column<ToolFigures>[] = [
    {
      name: "tool",
      title: texts.tool,
      value: (row) => row.tool,
      show: (row) => (
        <a href={buildHref("ledger", [], { tool: row.tool, reads: "all" })}>
          <code>{row.tool}</code>
        </a>
      ),
    },
    { name: "calls", title: texts.count, figure: true, value: (row) => row.calls, show: (row) => formatCount(row.calls, language) },
    { name: "errors", title: texts.errors, figure: true, value: (row) => row.errors, show: (row) => (row.errors ? <Badge tone="bad">{formatCount(row.errors, language)}</Badge> : "0") },
    { name: "mean_ms", title: texts.mean, figure: true, value: (row) => Math.round(row.mean_ms * 10) / 10, show: (row) => formatDuration(row.mean_ms, language) },
    { name: "p95_ms", title: texts.p95, figure: true, value: (row) => row.p95_ms, show: (row) => (row.p95_ms === null ? "–" : `≤ ${formatDuration(row.p95_ms, language)}`) },
  ];
  return <Table label={texts.tools} columns={columns} rows={tools} keyOf={(row) => row.tool} file="tools" />;
}
