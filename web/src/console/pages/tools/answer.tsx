// A tool's answer: the body as tree, table or text, the stamp, and the duration.
import { useState } from "preact/hooks";
import type { Answer, ApiError } from "../../api";
import { formatDuration, shorten } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { Badge, Card, Choices, CodeBlock, ErrorBox, Facts } from "../../parts";
import { JsonTable, JsonTree, findLongestList, stringify } from "../../parts/json";
import { buildHref } from "../../router";
import { TEXTS } from "./texts";

export interface Run {
  answer: Answer<unknown> | null;
  error: ApiError | null;
  tookMs: number;
}

export function AnswerCard({ run, tool }: { run: Run; tool: string }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const answer = run.answer ?? run.error?.answer ?? null;
  const body = run.error ? (run.error.error ?? null) : run.answer?.data;
  const rows = run.error ? null : findLongestList(body);
  const [view, setView] = useState<"tree" | "table" | "raw">("tree");
  const shown = view === "table" && !rows ? "tree" : view;
  const options: ["tree" | "table" | "raw", string][] = [["tree", texts.tree], ["raw", texts.raw]];
  if (rows) options.splice(1, 0, ["table", texts.table]);
  return (
    <Card
      title={texts.answer}
      aside={
        <span class="row">
          <Badge tone={run.error ? "bad" : "good"}>{run.error ? `${run.error.status || ""} ${run.error.code}` : "ok"}</Badge>
          {answer?.meta.replayed && <Badge tone="note">{texts.replayed}</Badge>}
          {answer && <span>{formatDuration(answer.meta.duration_ms, language)} {texts.took}</span>}
          <span>{formatDuration(run.tookMs, language)} {texts.there}</span>
        </span>
      }
    >
      <div class="stack answer">
        {run.error && <ErrorBox error={run.error} />}
        {(!run.error || Object.keys(run.error.error).length > 0) && (
          <>
            <Choices label={texts.view} value={shown} options={options} onValue={setView} />
            {shown === "tree" && <JsonTree value={body} />}
            {shown === "table" && rows && <JsonTable rows={rows} label={texts.table} file={tool} />}
            {shown === "raw" && <CodeBlock text={stringify(body)} label={texts.raw} />}
          </>
        )}
        {answer?.meta.audit && (
          <details class="stamp">
            <summary>{texts.stamp}</summary>
            <Facts
              facts={[
                ["in_hash", <code>{answer.meta.audit.in_hash}</code>],
                ["out_hash", <code>{answer.meta.audit.out_hash}</code>],
                ["seed", <code>{String(answer.meta.audit.seed)}</code>],
                ["status", answer.meta.audit.status],
                ["latency", formatDuration(answer.meta.audit.latency_ms, language)],
              ]}
            />
          </details>
        )}
        {answer?.meta.call_id && (
          <p>
            <a href={buildHref("ledger", [answer.meta.call_id])}>
              {texts.inLedger}: {shorten(answer.meta.call_id, 24)}
            </a>
          </p>
        )}
      </div>
    </Card>
  );
}
