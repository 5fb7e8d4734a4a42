// The corrections that are made on a page: the dialog, and the list from which each is undone.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError, callTool } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { ErrorBox } from "../../parts";
import { hasScope, useSession } from "../../session";
import { type AppliedCorrection, Correction, type CorrectionAnswer } from "./correction";
import type { Memory } from "./memories";
import { MEMORY } from "./texts";

interface Corrections {
  /** Opens the dialog; null for a reader who may not write. */
  onCorrect: ((memory: Memory) => void) | null;
  history: ComponentChildren;
  /** The dialog, if it is open. `others` are the memories to merge with. */
  dialog(others: Memory[]): ComponentChildren;
}

export function useCorrections(reload: () => void): Corrections {
  const session = useSession();
  const [fixing, setFixing] = useState<Memory | null>(null);
  const [done, setDone] = useState<AppliedCorrection[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const undo = async (correction: AppliedCorrection) => {
    const answer = (await callTool<CorrectionAnswer>("correct_memory", { target_id: correction.target, action: correction.action, payload: { undo: correction.undo } })).data;
    if (answer.status !== "applied") throw new ApiError(answer.message ?? answer.status, 0, answer.status);
    setDone((all) => all.filter((candidate) => candidate.undo !== correction.undo));
    reload();
  };
  return {
    onCorrect: hasScope(session, "memory:write") ? setFixing : null,
    history: (
      <>
        {error && <ErrorBox error={error} />}
        {done.length > 0 && <History done={done} onUndo={(correction) => undo(correction).catch((caught) => setError(toApiError(caught)))} />}
      </>
    ),
    dialog: (others) =>
      fixing && (
        <Correction
          key={fixing.id}
          memory={fixing}
          others={others}
          onDone={(correction) => {
            setDone((all) => [correction, ...all]);
            reload();
          }}
          onUndo={undo}
          onClose={() => setFixing(null)}
        />
      ),
  };
}

function History({ done, onUndo }: { done: AppliedCorrection[]; onUndo(done: AppliedCorrection): void }) {
  const texts = useTexts(MEMORY);
  return (
    <section class="history" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      <ul>
        {done.map((correction) => (
          <li key={correction.undo} class="row">
            {texts[correction.action]}: <span>{correction.text}</span>
            <button type="button" onClick={() => onUndo(correction)}>
              {texts.undo}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
