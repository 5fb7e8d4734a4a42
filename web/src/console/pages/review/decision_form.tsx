// The form to accept, correct or reject a statement. It checks what the server checks, so that nobody fills it in twice.
import { useState } from "preact/hooks";
import type { ApiError } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { AreaField, Card, Choices, ErrorBox, SelectField, TextField } from "../../parts";
import { type DecisionBody, EVIDENCE, SEVERITIES, type StatementCard, type Verdict, loadReviewer, rankSeverity, saveReviewer, sendDecision, today } from "./statements";
import { REVIEW } from "./texts";

interface CitedSource {
  title: string;
  url: string;
}

type Changes = Record<"severity" | "evidence" | "route" | "management_th" | "management_en" | "effect_th" | "effect_en", string>;
type Problem = "needName" | "needReason" | "needSource" | "needChange" | "badUrl" | "needTitle";
type Problems = Partial<Record<"reviewer" | "reason" | "sources" | "url" | "changes", Problem>>;

const ROUTES = ["oral", "topical", "any"] as const;

function readChanges(card: StatementCard): Changes {
  const { management, effect } = card.texts;
  return { severity: card.severity, evidence: card.evidence ?? "", route: card.route ?? "", management_th: management?.th ?? "", management_en: management?.en ?? "", effect_th: effect?.th ?? "", effect_en: effect?.en ?? "" };
}

function listChanges(card: StatementCard, changes: Changes): Record<string, string> {
  const before = readChanges(card);
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => value.trim() !== "" && value !== before[name as keyof Changes]));
}

function findProblems(card: StatementCard, body: DecisionBody, given: CitedSource[]): Problems {
  const changes = body.changes ?? {};
  const severity = changes.severity as (typeof SEVERITIES)[number] | undefined;
  const isOfficial = card.shipped.evidence === "official";
  const lowers = (severity !== undefined && rankSeverity(severity) < rankSeverity(card.shipped.severity)) || (isOfficial && changes.evidence !== undefined && changes.evidence !== "official");
  const weakens = body.verdict === "reject" || lowers;
  const problems: Problems = {};
  if (!body.reviewer.trim()) problems.reviewer = "needName";
  if (body.verdict === "correct" && Object.keys(changes).length === 0) problems.changes = "needChange";
  if (given.some((source) => source.url.trim() && !/^https?:\/\/\S+$/.test(source.url.trim()))) problems.url = "badUrl";
  if (given.some((source) => source.url.trim() && !source.title.trim())) problems.sources = "needTitle";
  else if (weakens && isOfficial && body.sources.length === 0) problems.sources = "needSource";
  else if (weakens && !body.reason && body.sources.length === 0) problems.reason = "needReason";
  return problems;
}

export function DecisionForm({ card, onChange }: { card: StatementCard; onChange(card: StatementCard): void }) {
  const texts = useTexts(REVIEW);
  const [verdict, setVerdict] = useState<Verdict>("accept");
  const [reviewer, setReviewer] = useState(loadReviewer);
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState("");
  const [sources, setSources] = useState<CitedSource[]>([{ title: "", url: "" }]);
  const [changes, setChanges] = useState<Changes>(() => readChanges(card));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const cited = sources.filter((source) => source.title.trim() !== "").map((source) => ({ title: source.title.trim(), ...(source.url.trim() ? { url: source.url.trim() } : {}) }));
  const body: DecisionBody = { verdict, reviewer: reviewer.trim(), date, sources: cited, ...(reason.trim() ? { reason: reason.trim() } : {}), ...(verdict === "correct" ? { changes: listChanges(card, changes) } : {}) };
  const problems = findProblems(card, body, sources);
  const problem = (name: keyof Problems) => (tried && problems[name] ? texts[problems[name]] : null);
  const send = async () => {
    setTried(true);
    setError(null);
    if (Object.keys(problems).length > 0) return;
    setBusy(true);
    saveReviewer(reviewer.trim());
    try {
      onChange(await sendDecision(card.id, body));
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={texts.decide}>
      <form
        class="stack decision-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Choices label={texts.verdict} value={verdict} options={[["accept", texts.accept], ["correct", texts.correct], ["reject", texts.reject]]} onValue={setVerdict} />
        <p class="hint">{texts[`${verdict}Hint`]}</p>
        {verdict === "correct" && <Corrections changes={changes} error={problem("changes")} onChange={(change) => setChanges({ ...changes, ...change })} />}
        <AreaField label={texts.reason} value={reason} onValue={setReason} rows={2} error={problem("reason")} required={verdict === "reject" && cited.length === 0} />
        <SourceFields sources={sources} error={problem("sources")} urlError={problem("url")} onChange={setSources} />
        <div class="name-and-day">
          <TextField label={texts.reviewer} value={reviewer} onValue={setReviewer} maxLength={200} required error={problem("reviewer")} />
          <TextField label={texts.day} type="date" value={date} onValue={setDate} max={today()} />
        </div>
        <button type="submit" class={verdict === "reject" ? "danger" : "main"} disabled={busy}>
          {texts.save}
        </button>
        {error && <ErrorBox error={error} />}
      </form>
    </Card>
  );
}

function Corrections({ changes, error, onChange }: { changes: Changes; error: string | null; onChange(change: Partial<Changes>): void }) {
  const texts = useTexts(REVIEW);
  const optional = (value: string, options: [string, string][]) => (value === "" ? [["", texts.e_none] as [string, string], ...options] : options);
  return (
    <>
      <div class="name-and-day">
        <SelectField label={texts.severity} value={changes.severity} onValue={(severity) => onChange({ severity })} options={SEVERITIES.map((name) => [name, texts[`s_${name}`]] as [string, string])} error={error} />
        <SelectField label={texts.evidence} value={changes.evidence} onValue={(evidence) => onChange({ evidence })} options={optional(changes.evidence, EVIDENCE.map((name) => [name, texts[`e_${name}`]] as [string, string]))} />
      </div>
      <SelectField label={texts.route} value={changes.route} onValue={(route) => onChange({ route })} options={ROUTES.map((name) => [name, texts[`r_${name}`]] as [string, string])} />
      <AreaField label={texts.managementTh} value={changes.management_th} onValue={(management_th) => onChange({ management_th })} rows={2} />
      <AreaField label={texts.managementEn} value={changes.management_en} onValue={(management_en) => onChange({ management_en })} rows={2} />
      <AreaField label={texts.effectTh} value={changes.effect_th} onValue={(effect_th) => onChange({ effect_th })} rows={2} />
      <AreaField label={texts.effectEn} value={changes.effect_en} onValue={(effect_en) => onChange({ effect_en })} rows={2} />
    </>
  );
}

function SourceFields({ sources, error, urlError, onChange }: { sources: CitedSource[]; error: string | null; urlError: string | null; onChange(sources: CitedSource[]): void }) {
  const texts = useTexts(REVIEW);
  const change = (at: number, part: Partial<CitedSource>) => onChange(sources.map((source, index) => (index === at ? { ...source, ...part } : source)));
  const number = (at: number) => (sources.length > 1 ? ` ${at + 1}` : "");
  return (
    <>
      {sources.map((source, at) => (
        <div class="stack tight" key={at}>
          <TextField label={texts.sourceTitle + number(at)} hint={at === 0 ? texts.sourceTitleHint : undefined} value={source.title} onValue={(title) => change(at, { title })} maxLength={500} error={at === 0 ? error : null} />
          <TextField label={texts.sourceUrl + number(at)} value={source.url} onValue={(url) => change(at, { url })} placeholder="https://" maxLength={2000} error={urlError} />
        </div>
      ))}
      {sources.length < 5 && (
        <button type="button" class="link" onClick={() => onChange([...sources, { title: "", url: "" }])}>
          {texts.addSource}
        </button>
      )}
    </>
  );
}
