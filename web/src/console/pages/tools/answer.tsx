// What a tool answered: the body as a tree, a table or text, its stamp, and how long it took.
import { useState } from "preact/hooks";
import type { Answer, ApiError } from "../../api";
import { milliseconds, short } from "../../format";
import { useLanguage, useWords } from "../../language";
import { Badge, Card, Choices, CodeBlock, ErrorBox, Facts } from "../../parts";
import { JsonTable, JsonTree, listIn, written } from "../../parts/json";
import { to } from "../../router";
import { WORDS } from "./words";

export interface Run {
  answer: Answer<unknown> | null;
  error: ApiError | null;
  tookMs: number;
}

export function AnswerCard({ run }: { run: Run }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const answer = run.answer ?? run.error?.answer ?? null;
  const body = run.error ? (run.error.error ?? null) : run.answer?.data;
  const rows = run.error ? null : listIn(body);
  const [view, setView] = useState<"tree" | "table" | "raw">("tree");
  const shown = view === "table" && !rows ? "tree" : view;
  const options: ["tree" | "table" | "raw", string][] = [["tree", words.tree], ["raw", words.raw]];
  if (rows) options.splice(1, 0, ["table", words.table]);
  return (
    <Card
      title={words.answer}
      aside={
        <span class="row">
          <Badge tone={run.error ? "bad" : "good"}>{run.error ? `${run.error.status || ""} ${run.error.code}` : "ok"}</Badge>
          {answer?.meta.replayed && <Badge tone="note">{words.replayed}</Badge>}
          {answer && <span>{milliseconds(answer.meta.duration_ms, language)} {words.took}</span>}
          <span>{milliseconds(run.tookMs, language)} {words.there}</span>
        </span>
      }
    >
      <div class="stack answer">
        {run.error && <ErrorBox error={run.error} />}
        {(!run.error || Object.keys(run.error.error).length > 0) && (
          <>
            <Choices label={words.view} value={shown} options={options} onValue={setView} />
            {shown === "tree" && <JsonTree value={body} />}
            {shown === "table" && rows && <JsonTable rows={rows} label={words.table} />}
            {shown === "raw" && <CodeBlock text={written(body)} label={words.raw} />}
          </>
        )}
        {answer?.meta.audit && (
          <details class="stamp">
            <summary>{words.stamp}</summary>
            <Facts
              facts={[
                ["in_hash", <code>{answer.meta.audit.in_hash}</code>],
                ["out_hash", <code>{answer.meta.audit.out_hash}</code>],
                ["seed", <code>{String(answer.meta.audit.seed)}</code>],
                ["status", answer.meta.audit.status],
                ["latency", milliseconds(answer.meta.audit.latency_ms, language)],
              ]}
            />
          </details>
        )}
        {answer?.meta.call_id && (
          <p>
            <a href={to("ledger", [answer.meta.call_id])}>
              {words.inLedger}: {short(answer.meta.call_id, 24)}
            </a>
          </p>
        )}
      </div>
    </Card>
  );
}
