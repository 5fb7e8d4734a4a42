import { useState } from "preact/hooks";
import { type ApiError, callTool } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { AreaField, Badge, Dialog, ErrorBox, SelectField, TextField } from "../../parts";
import { MEMORY } from "./texts";

interface SendAnswer {
  memory_id: string | null;
  status: string;
  message: string | null;
  confidence: string | null;
  redactions: { kind: string; count: number }[];
  reads_like_instruction: boolean;
}

const LETTERS = ["A", "B", "C", "D", "E", "F"] as const;

export function AddMemory({ onSent, onClose }: { onSent(): void; onClose(): void }) {
  const texts = useTexts(MEMORY);
  const [content, setContent] = useState("");
  const [source, setSource] = useState({ type: "", ref: "", citation: "" });
  const [letter, setLetter] = useState("");
  const [sent, setSent] = useState<SendAnswer | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const known = Object.fromEntries(Object.entries(source).filter(([, value]) => value.trim() !== ""));
    setBusy(true);
    setError(null);
    try {
      const args = { content, ...(Object.keys(known).length ? { source: known } : {}), ...(letter ? { confidence_hint: letter } : {}) };
      const answer = (await callTool<SendAnswer>("send_memory", args)).data;
      setSent(answer);
      if (answer.status === "accepted") {
        setContent("");
        onSent();
      }
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={texts.sendTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <AreaField label={texts.fact} value={content} onValue={setContent} required />
        <div class="filters">
          <TextField label={texts.kindOfSource} value={source.type} onValue={(type) => setSource({ ...source, type })} maxLength={128} />
          <TextField label={texts.ref} value={source.ref} onValue={(ref) => setSource({ ...source, ref })} maxLength={2048} />
          <TextField label={texts.citation} value={source.citation} onValue={(citation) => setSource({ ...source, citation })} maxLength={2048} />
          <SelectField label={texts.reliability} value={letter} onValue={setLetter} options={[["", texts.notSaid], ...LETTERS.map((grade) => [grade, `${grade}: ${texts[grade]}`] as [string, string])]} />
        </div>
        <div class="buttons">
          <button type="submit" class="main" disabled={busy || content.trim() === ""}>
            {texts.save}
          </button>
        </div>
      </form>
      <div aria-live="polite" class="stack">
        {error && <ErrorBox error={error} />}
        {sent && sent.status !== "accepted" && <p class="problem">{sent.message}</p>}
        {sent?.status === "accepted" && <p>{texts.saved.replace("{id}", sent.memory_id ?? "").replace("{rating}", sent.confidence ?? "")}</p>}
        {sent && sent.redactions.length > 0 && <p>{texts.redacted.replace("{what}", sent.redactions.map((redaction) => `${redaction.kind} × ${redaction.count}`).join(", "))}</p>}
        {sent?.reads_like_instruction && <Badge tone="bad">{texts.instruction}</Badge>}
      </div>
    </Dialog>
  );
}
