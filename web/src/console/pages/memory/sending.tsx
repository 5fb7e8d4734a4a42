import { useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useWords } from "../../language";
import { asApiError } from "../../loading";
import { AreaField, Badge, Dialog, ErrorBox, SelectField, TextField } from "../../parts";
import { MEMORY } from "./words";

interface Sent {
  memory_id: string | null;
  status: string;
  message: string | null;
  confidence: string | null;
  redactions: { kind: string; count: number }[];
  reads_like_instruction: boolean;
}

const LETTERS = ["A", "B", "C", "D", "E", "F"] as const;

export function Sending({ onSent, onClose }: { onSent(): void; onClose(): void }) {
  const words = useWords(MEMORY);
  const [content, setContent] = useState("");
  const [source, setSource] = useState({ type: "", ref: "", citation: "" });
  const [letter, setLetter] = useState("");
  const [sent, setSent] = useState<Sent | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const known = Object.fromEntries(Object.entries(source).filter(([, value]) => value.trim() !== ""));
    setBusy(true);
    setError(null);
    try {
      const args = { content, ...(Object.keys(known).length ? { source: known } : {}), ...(letter ? { confidence_hint: letter } : {}) };
      const answer = (await callTool<Sent>("send_memory", args)).data;
      setSent(answer);
      if (answer.status === "accepted") {
        setContent("");
        onSent();
      }
    } catch (caught) {
      setError(asApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.sendTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <AreaField label={words.fact} value={content} onValue={setContent} required />
        <div class="filters">
          <TextField label={words.kindOfSource} value={source.type} onValue={(type) => setSource({ ...source, type })} maxLength={128} />
          <TextField label={words.ref} value={source.ref} onValue={(ref) => setSource({ ...source, ref })} maxLength={2048} />
          <TextField label={words.citation} value={source.citation} onValue={(citation) => setSource({ ...source, citation })} maxLength={2048} />
          <SelectField label={words.reliability} value={letter} onValue={setLetter} options={[["", words.notSaid], ...LETTERS.map((one) => [one, `${one}: ${words[one]}`] as [string, string])]} />
        </div>
        <div class="buttons">
          <button type="submit" class="main" disabled={busy || content.trim() === ""}>
            {words.save}
          </button>
        </div>
      </form>
      <div aria-live="polite" class="stack">
        {error && <ErrorBox error={error} />}
        {sent && sent.status !== "accepted" && <p class="problem">{sent.message}</p>}
        {sent?.status === "accepted" && <p>{words.saved.replace("{id}", sent.memory_id ?? "").replace("{rating}", sent.confidence ?? "")}</p>}
        {sent && sent.redactions.length > 0 && <p>{words.redacted.replace("{what}", sent.redactions.map((one) => `${one.kind} × ${one.count}`).join(", "))}</p>}
        {sent?.reads_like_instruction && <Badge tone="bad">{words.instruction}</Badge>}
      </div>
    </Dialog>
  );
}
