// A correction is shown before it is made, and can be taken back after.
import { useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useWords } from "../../language";
import { asApiError } from "../../loading";
import { AreaField, Dialog, ErrorBox, SelectField, TextField } from "../../parts";
import type { Memory } from "./memories";
import { Rating } from "./rating";
import { MEMORY } from "./words";

const ACTIONS = ["contest", "annotate", "merge_entities", "split_entity", "reclassify"] as const;
export type Action = (typeof ACTIONS)[number];

export interface Corrected {
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

export interface Done {
  target: string;
  action: Action;
  undo: string;
}

interface CorrectionProps {
  memory: Memory;
  others: Memory[];
  onDone(done: Done): void;
  onUndo(done: Done): Promise<void>;
  onClose(): void;
}

export function Correction({ memory, others, onDone, onUndo, onClose }: CorrectionProps) {
  const words = useWords(MEMORY);
  const [action, setAction] = useState<Action>("contest");
  const [text, setText] = useState("");
  const [seen, setSeen] = useState<Corrected | null>(null);
  const [done, setDone] = useState<Done | null>(null);
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
      const payload = { ...payloadOf(action, text), ...(dry ? { dry_run: true } : {}) };
      const answer = (await callTool<Corrected>("correct_memory", { target_id: memory.id, action, payload })).data;
      setSeen(answer);
      if (!dry && answer.status === "applied" && answer.details.undo) {
        const made = { target: memory.id, action, undo: answer.details.undo };
        setDone(made);
        onDone(made);
      }
    } catch (caught) {
      setError(asApiError(caught));
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
      setError(asApiError(caught));
      setBusy(false);
    }
  };
  const refused = seen !== null && seen.status !== "applied";
  return (
    <Dialog title={words.correctTitle} onClose={onClose}>
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
            label={words.action}
            value={action}
            options={ACTIONS.map((one) => [one, words[one]])}
            onValue={(value) => {
              setAction(value as Action);
              setText("");
              forget();
            }}
          />
          <PayloadField
            action={action}
            text={text}
            others={others.filter((one) => one.id !== memory.id)}
            onText={(value) => {
              setText(value);
              forget();
            }}
          />
          <div class="buttons">
            <button type="submit" disabled={busy}>
              {words.preview}
            </button>
            <button type="button" class="main" disabled={busy || seen === null || refused} onClick={() => void run(false)}>
              {words.apply}
            </button>
          </div>
        </form>
      )}
      <div aria-live="polite" class="stack">
        {error && <ErrorBox error={error} />}
        {refused && (
          <p class="problem">
            {words.refused}: {seen.message}
          </p>
        )}
        {seen && !refused && <Effect seen={seen} memories={others} title={done ? words.changes : words.wouldChange} />}
        {done && (
          <div class="buttons">
            <strong>{words.applied}</strong>
            <button type="button" disabled={busy} onClick={() => void undo()}>
              {words.undo}
            </button>
            <small>{words.undoHint}</small>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function payloadOf(action: Action, text: string): Record<string, unknown> {
  const said = text.trim();
  switch (action) {
    case "contest":
      return said ? { reason: said } : {};
    case "annotate":
      return { note: text };
    case "merge_entities":
      return { merge_with: said };
    case "split_entity":
      return { split_into: text.split("\n").filter((line) => line.trim() !== "") };
    case "reclassify":
      return { new_type: said };
  }
}

function PayloadField({ action, text, others, onText }: { action: Action; text: string; others: Memory[]; onText(text: string): void }) {
  const words = useWords(MEMORY);
  if (action === "annotate") return <AreaField label={words.note} value={text} onValue={onText} required />;
  if (action === "split_entity") return <AreaField label={words.splitInto} value={text} onValue={onText} required />;
  if (action === "reclassify") return <TextField label={words.newType} value={text} onValue={onText} maxLength={128} required />;
  if (action === "contest") return <TextField label={words.reason} value={text} onValue={onText} maxLength={2048} />;
  const options: [string, string][] = others.map((one) => [one.id, `${one.confidence ?? ""} ${one.content.slice(0, 70)}`]);
  return <SelectField label={words.mergeWith} value={text} options={[["", "–"], ...options]} onValue={onText} />;
}

function Effect({ seen, memories, title }: { seen: Corrected; memories: Memory[]; title: string }) {
  const words = useWords(MEMORY);
  const { details } = seen;
  const textOf = (id: string) => memories.find((one) => one.id === id)?.content ?? id;
  return (
    <section class="effect" aria-label={title}>
      <h3>{title}</h3>
      {details.changed && (
        <ul>
          {details.changed.length === 0 && <li>{words.nothingChanges}</li>}
          {details.changed.map((one) => (
            <li key={one.id}>
              <Rating value={one.before} /> → <Rating value={one.after} /> <span>{textOf(one.id)}</span>
            </li>
          ))}
        </ul>
      )}
      {details.merged && <p>{words.mergedInto.replace("{text}", textOf(details.merged)).replace("{rating}", details.confidence ?? "")}</p>}
      {details.children && <p>{words.children.replace("{n}", String(details.children.length)).replace("{rating}", details.confidence ?? "")}</p>}
      {details.note !== undefined && <p>{words.noted}</p>}
      {details.new_type !== undefined && <p>{words.retyped.replace("{from}", details.old_type ?? "").replace("{to}", details.new_type)}</p>}
    </section>
  );
}
