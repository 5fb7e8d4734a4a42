// One statement with everything that is known about it, and the form to decide.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../../api";
import { formatDay } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useLoaded } from "../../loading";
import { Badge, Card, ErrorBox, Facts, Icon, LoadedView, PageHead } from "../../parts";
import { buildHref } from "../../router";
import { useSources } from "../herbs/labels";
import { EvidenceBadge, SeverityBadge, StateBadge } from "./badges";
import { DecisionForm } from "./decision_form";
import { type PastDecision, type StatementCard, type StatementSource, type TextName, type Verdict, loadQueue, loadReviewer, loadStatement, sendUndo } from "./statements";
import { REVIEW } from "./texts";

const TEXT_NAMES: TextName[] = ["effect", "mechanism", "management", "object", "source_phrase", "evidence_detail"];
const PAST: Record<Verdict, "accepted" | "corrected" | "rejected"> = { accept: "accepted", correct: "corrected", reject: "rejected" };

export function StatementPage({ id }: { id: string }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const loaded = useLoaded((signal) => loadStatement(id, signal), [id]);
  const [changed, setChanged] = useState<StatementCard | null>(null);
  const [said, setSaid] = useState("");
  const show = (card: StatementCard, message: string) => {
    setChanged(card);
    setSaid(message);
  };
  return (
    <>
      <LoadedView loaded={loaded}>
        {(first) => {
          const card = changed?.id === id ? changed : first;
          return (
            <>
              <PageHead title={`${card.subject[language]} ${texts.with} ${card.objects[0]?.[language] ?? ""}`} lead={`${texts.statement} ${card.id}`}>
                <a class="button" href={buildHref("review")}>
                  {texts.back}
                </a>
              </PageHead>
              <p class="review-marks">
                <SeverityBadge value={card.severity} />
                <EvidenceBadge value={card.evidence} />
                <StateBadge value={card.state} />
              </p>
              <div class="review-columns">
                <div class="stack">
                  <Doubts card={card} />
                  <Says card={card} />
                  <SourceList sources={card.sources} />
                  <History card={card} />
                </div>
                <aside class="stack" aria-label={texts.decide}>
                  <p class="saved" role="status">
                    {said && (
                      <>
                        <Icon name="check" /> {said} <NextLink current={card.id} stamp={said + card.state} />
                      </>
                    )}
                  </p>
                  {card.decision && <Standing card={card} onChange={show} />}
                  {card.may_decide ? <DecisionForm key={`${card.id} ${card.decision?.id ?? ""}`} card={card} onChange={(decided) => show(decided, texts.saved)} /> : <Card>{texts.readOnly}</Card>}
                </aside>
              </div>
            </>
          );
        }}
      </LoadedView>
    </>
  );
}

function NextLink({ current, stamp }: { current: string; stamp: string }) {
  const texts = useTexts(REVIEW);
  const loaded = useLoaded((signal) => loadQueue({ limit: "2" }, signal), [current, stamp]);
  const next = loaded.value?.statements.find((statement) => statement.id !== current);
  return next ? <a href={buildHref("review", ["statement", next.id])}>{texts.next}</a> : <a href={buildHref("review")}>{texts.back}</a>;
}

function Doubts({ card }: { card: StatementCard }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  return (
    <Card title={texts.doubts}>
      {card.reasons.length === 0 ? (
        <p class="dim">{texts.noDoubts}</p>
      ) : (
        <ul class="doubts">
          {card.reasons.map((reason) => (
            <li key={reason.en}>{reason[language]}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Says({ card }: { card: StatementCard }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const sources = useSources(card.differences.flatMap((other) => other.sources));
  const objects = (
    <span class="objects">
      {card.objects.map((node) => (
        <a key={node.id} href={buildHref("herbs", [node.type, node.id])}>
          {node[language]}
        </a>
      ))}
    </span>
  );
  const subject = <a href={buildHref("herbs", [card.subject.type, card.subject.id])}>{card.subject[language]}</a>;
  const facts: [string, ComponentChildren][] = [[texts.herb, subject], [texts.about, objects]];
  for (const name of TEXT_NAMES) {
    const text = card.texts[name];
    if (text) facts.push([texts[name], text[language]]);
  }
  if (card.route === "oral" || card.route === "topical" || card.route === "any") facts.push([texts.route, texts[`r_${card.route}`]]);
  if (card.shipped.severity !== card.severity || card.shipped.evidence !== card.evidence) {
    const was = [texts[`s_${card.shipped.severity}`], card.shipped.evidence ? texts[`e_${card.shipped.evidence}`] : ""].filter(Boolean).join(", ");
    facts.push([texts.severity, texts.shipped.replace("{what}", was)]);
  }
  return (
    <Card title={texts.facts}>
      <Facts facts={facts} />
      {card.differences.length > 0 && (
        <>
          <h3>{texts.differences}</h3>
          <ul class="plain differences">
            {card.differences.map((other) => (
              <li key={other.id}>
                {other.severity && <SeverityBadge value={other.severity} />} {other.evidence && <EvidenceBadge value={other.evidence} />} <span>{other.effect[language]}</span> <small class="dim">{other.sources.map((id) => sources.get(id)?.title ?? id).join("; ")}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function SourceList({ sources }: { sources: StatementSource[] }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  return (
    <Card title={texts.sources}>
      {sources.length === 0 && <p class="dim">{texts.noSources}</p>}
      <ul class="plain source-list">
        {sources.map((source) => (
          <li key={source.id}>
            {source.url && /^https?:\/\//i.test(source.url) ? (
              <a href={source.url} target="_blank" rel="noopener noreferrer">
                {source.title ?? source.id}
              </a>
            ) : (
              <span>{source.title ?? source.id}</span>
            )}
            <small class="dim">
              {[source.year, source.how_read?.[language], source.url ? null : texts.noAddress, source.is_reviewers ? texts.reviewersSource : null].filter(Boolean).join(" · ")} <code>{source.id}</code>
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function History({ card }: { card: StatementCard }) {
  const texts = useTexts(REVIEW);
  return (
    <Card title={texts.history}>
      {card.history.length === 0 && <p class="dim">{texts.noHistory}</p>}
      <ol class="plain review-history">
        {[...card.history].reverse().map((made) => (
          <li key={made.id} class={made.undone ? "undone" : ""}>
            <Past made={made} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Past({ made }: { made: PastDecision }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  return (
    <>
      <p>
        {texts.decidedBy.replace("{verdict}", texts[PAST[made.verdict]]).replace("{who}", made.reviewer).replace("{when}", formatDay(made.date, language))} {made.undone && <Badge>{texts.undone.replace("{by}", made.undone.by)}</Badge>}
      </p>
      {made.reason && <p class="dim">{made.reason}</p>}
      {Object.entries(made.changes).map(([name, value]) => (
        <p key={name} class="dim">
          {nameChange(name, texts)}: {nameValue(name, value, texts)}
        </p>
      ))}
      {made.sources.map((source) => (
        <p key={source.title} class="dim">
          {source.url ? (
            <a href={source.url} target="_blank" rel="noopener noreferrer">
              {source.title}
            </a>
          ) : (
            source.title
          )}
        </p>
      ))}
    </>
  );
}

type ReviewTexts = (typeof REVIEW)["en"];

const CHANGE_NAMES: Record<string, keyof ReviewTexts> = { severity: "severity", evidence: "evidence", route: "route", management_th: "managementTh", management_en: "managementEn", effect_th: "effectTh", effect_en: "effectEn" };

function nameChange(name: string, texts: ReviewTexts): string {
  const key = CHANGE_NAMES[name];
  return key ? texts[key] : name;
}

/** Words a value of a closed list; other values are texts. */
function nameValue(name: string, value: string, texts: ReviewTexts): string {
  const prefix = { severity: "s_", evidence: "e_", route: "r_" }[name];
  return (prefix && texts[`${prefix}${value}` as keyof ReviewTexts]) || value;
}

function Standing({ card, onChange }: { card: StatementCard; onChange(card: StatementCard, message: string): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const [error, setError] = useState<ApiError | null>(null);
  const decision = card.decision;
  if (!decision) return null;
  const undo = async () => {
    setError(null);
    try {
      onChange(await sendUndo(card.id, loadReviewer() || decision.reviewer), texts.undoneNow);
    } catch (caught) {
      setError(toApiError(caught));
    }
  };
  return (
    <Card>
      <div class="stack standing">
        <p>
          <strong>{texts.decidedBy.replace("{verdict}", texts[PAST[decision.verdict]]).replace("{who}", decision.reviewer).replace("{when}", formatDay(decision.date, language))}</strong>
        </p>
        {decision.reason && <p class="dim">{decision.reason}</p>}
        {decision.outdated && <p class="problem">{texts.outdated}</p>}
        {card.may_decide && (
          <button type="button" onClick={() => void undo()}>
            {texts.undo}
          </button>
        )}
        {error && <ErrorBox error={error} />}
      </div>
    </Card>
  );
}
