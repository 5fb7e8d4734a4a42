// Statements as a list of links.
import { useLanguage, useTexts } from "../../language";
import { buildHref } from "../../router";
import { EvidenceBadge, SeverityBadge, StateBadge } from "./badges";
import type { StatementRow } from "./statements";
import { REVIEW } from "./texts";

const MOST_OBJECTS = 4;

export function StatementRows({ statements, label }: { statements: StatementRow[]; label: string }) {
  return (
    <ul class="review-list" aria-label={label}>
      {statements.map((statement) => (
        <li key={statement.id}>
          <Row statement={statement} />
        </li>
      ))}
    </ul>
  );
}

function Row({ statement }: { statement: StatementRow }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  return (
    <a class={`statement-row ${statement.severity}`} href={buildHref("review", ["statement", statement.id])}>
      <span class="review-marks">
        <SeverityBadge value={statement.severity} />
        <EvidenceBadge value={statement.evidence} />
        <StateBadge value={statement.state} />
      </span>
      <span class="who">
        <strong>{statement.subject[language]}</strong> <span class="dim">{texts.with}</span> {nameObjects(statement, language, texts.andMore)}
      </span>
      {statement.effect && <span class="dim says">{statement.effect[language]}</span>}
      <code>{statement.id}</code>
    </a>
  );
}

export function nameObjects(statement: StatementRow, language: "en" | "th", andMore: string): string {
  const names = statement.objects.map((node) => node[language]);
  const shown = names.slice(0, MOST_OBJECTS).join(", ");
  return names.length > MOST_OBJECTS ? `${shown} ${andMore.replace("{n}", String(names.length - MOST_OBJECTS))}` : shown;
}
