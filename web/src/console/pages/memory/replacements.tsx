// The memories that replace a memory, and those that it replaces, by what they say.
import { useTexts } from "../../language";
import { buildHref } from "../../router";
import type { Memory } from "./memories";
import { MEMORY } from "./texts";

export function ReplacedBy({ memory, summaries }: { memory: Memory; summaries: Record<string, string> }) {
  const texts = useTexts(MEMORY);
  const link = (id: string) => (
    <a key={id} href={buildHref("memory", [id])}>
      {summaries[id] ?? id}
    </a>
  );
  return (
    <>
      {memory.superseded_by && (
        <p class="fate">
          <strong>{texts.supersededBy}:</strong> {link(memory.superseded_by)}
        </p>
      )}
      {memory.supersedes.length > 0 && (
        <p class="fate">
          <strong>{texts.supersedes}:</strong> {memory.supersedes.map((id, at) => [at > 0 && " · ", link(id)])}
        </p>
      )}
    </>
  );
}
