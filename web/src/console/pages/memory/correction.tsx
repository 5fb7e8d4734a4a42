// A correction is previewed before it is applied, and can be undone.
import { useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { AreaField, Dialog, ErrorBox, SelectField, TextField } from "../../parts";
import { type Memory, shortenText } from "./memories";
import { Rating } from "./rating";
import { MEMORY } from "./texts";

const ACTIONS = ["contest", "annotate", "merge_entities", "split_entity", "reclassify"] as const;
export type Action = (typeof ACTIONS)[number];

export interface CorrectionAnswer {
  status: string;
  message: string | null;
  details: {
    undo?: string;
    before?: string;
    after?: string;
    changed?: { id: string; before: string; after: string }[];
    children?: string[];
    confidence?: string;
    merged?: string;
    note?: string;
    old_type?: string;
    new_type?: string;
  };
}

export interface AppliedCorrection {
  target: string;
  action: Action;
  /** What the memory said. */
  text: string;
  undo: string;
}

interface CorrectionProps {
  memory: Memory;
  others: Memory[];
  onDone(done: AppliedCorrection): void;
  onUndo(done: AppliedCorrection): Promise<void>;
  onClose(): void;
}

export function Correction({ memory, others, onDone, onUndo, onClose }: CorrectionProps) {
  const texts = useTexts(MEMORY);
  const [action, setAction] = useState<Action>("contest");
  const [text, setText] = useState("");
  const [seen, setSeen] = useState<CorrectionAnswer | null>(null);
  const [done, setDone] = useState<AppliedCorrection | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const forget = () => {
    setSeen(null);
    setError(null);
  };
  const run = async (dry: boolean) => {
    setBusy(true);
    setError(null);
    try {
      const payload = { ...buildPayload(action, text), ...(dry ? { dry_run: true } : {}) };
      const answer = (await callTool<CorrectionAnswer>("correct_memory", { target_id: memory.id, action, payload })).data;
      setSeen(answer);
      if (!dry && answer.status === "applied" && answer.details.undo) {
        const made = { target: memory.id, action, text: shortenText(memory.content), undo: answer.details.undo };
        setDone(made);
        onDone(made);
      }
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  const undo = async () => {
    if (!done) return;
    setBusy(true);
    try {
      await onUndo(done);
      onClose();
    } catch (caught) {
      setError(toApiError(caught));
      setBusy(false);
    }
  };
  const refused = seen !== null && seen.status !== "applied";
  return (
    <Dialog title={texts.correctTitle} onClose={onClose}>
      <blockquote class="row">
        <Rating value={memory.confidence} /> {memory.content}
      </blockquote>
      {!done && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void run(true);
          }}
        >
          <SelectField
            label={texts.action}
            value={action}
            options={ACTIONS.map((name) => [name, texts[name]])}
            onValue={(value) => {
              setAction(value as Action);
              setText("");
              forget();
            }}
          />
          <PayloadField
            action={action}
            text={text}
            others={others.filter((candidate) => candidate.id !== memory.id)}
            onText={(value) => {
              setText(value);
              forget();
            }}
          />
          <div class="buttons">
            <button type="submit" disabled={busy}>
              {texts.preview}
            </button>
            <button type="button" class="main" disabled={busy || seen === null || refused} onClick={() => void run(false)}>
              {texts.apply}
            </button>
          </div>
        </form>
      )}
      <div aria-live="polite" class="stack">
        {error && <ErrorBox error={error} />}
        {refused && (
          <p class="problem">
            {texts.refused}: {seen.message}
          </p>
        )}
        {seen && !refused && <Effect seen={seen} memories={others} title={done ? texts.changes : texts.wouldChange} />}
        {done && (
          <div class="buttons">
            <strong>{texts.applied}</strong>
            <button type="button" disabled={busy} onClick={() => void undo()}>
              {texts.undo}
            </button>
            <small>{texts.undoHint}</small>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function buildPayload(action: Action, text: string): Record<string, unknown> {
  const trimmed = text.trim();
  switch (action) {
    case "contest":
      return trimmed ? { reason: trimmed } : {};
    case "annotate":
      return { note: text };
    case "merge_entities":
      return { merge_with: trimmed };
    case "split_entity":
      return { split_into: text.split("\n").filter((line) => line.trim() !== "") };
    case "reclassify":
      return { new_type: trimmed };
  }
}

function PayloadField({ action, text, others, onText }: { action: Action; text: string; others: Memory[]; onText(text: string): void }) {
  const texts = useTexts(MEMORY);
  if (action === "annotate") return <AreaField label={texts.note} value={text} onValue={onText} required />;
  if (action === "split_entity") return <AreaField label={texts.splitInto} value={text} onValue={onText} required />;
  if (action === "reclassify") return <TextField label={texts.newType} value={text} onValue={onText} maxLength={128} required />;
  if (action === "contest") return <TextField label={texts.reason} value={text} onValue={onText} maxLength={2048} required />;
  const options: [string, string][] = others.map((candidate) => [candidate.id, `${candidate.confidence ?? ""} ${candidate.content.slice(0, 70)}`]);
  return <SelectField label={texts.mergeWith} value={text} options={[["", "–"], ...options]} onValue={onText} />;
}

function Effect({ seen, memories, title }: { seen: CorrectionAnswer; memories: Memory[]; title: string }) {
  const texts = useTexts(MEMORY);
  const { details } = seen;
  const textOf = (id: string) => memories.find((candidate) => candidate.id === id)?.content ?? id;
  return (
    <section class="effect" aria-label={title}>
      <h3>{title}</h3>
      {details.changed && (
        <ul>
          {details.changed.length === 0 && <li>{texts.nothingChanges}</li>}
          {details.changed.map((change) => (
            <li key={change.id}>
              <Rating value={change.before} /> → <Rating value={change.after} /> <span>{textOf(change.id)}</span>
            </li>
          ))}
        </ul>
      )}
      {details.merged && <p>{texts.mergedInto.replace("{text}", textOf(details.merged)).replace("{rating}", details.confidence ?? "")}</p>}
      {details.children && <p>{texts.children.replace("{n}", String(details.children.length)).replace("{rating}", details.confidence ?? "")}</p>}
      {details.note !== undefined && <p>{texts.noted}</p>}
      {details.new_type !== undefined && <p>{texts.retyped.replace("{from}", details.old_type ?? "").replace("{to}", details.new_type)}</p>}
    </section>
  );
}
