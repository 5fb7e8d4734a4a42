import { useTexts } from "../../language";
import { Badge, Card } from "../../parts";
import { type Memory, type RecallAnswer, pairsOf } from "./memories";
import { Rating } from "./rating";
import { MemoryContext, When } from "./timeline";
import { MEMORY, type MemoryTexts } from "./texts";

export function Contradictions({ recalled, onCorrect }: { recalled: RecallAnswer; onCorrect: ((memory: Memory) => void) | null }) {
  const texts = useTexts(MEMORY);
  const pairs = pairsOf(recalled);
  if (pairs.length === 0) return null;
  return (
    <Card title={`${texts.contradictions} (${pairs.length})`} wide>
      <ul class="pairs">
        {pairs.map(({ contradiction, memory }) => (
          <li key={contradiction.id}>
            <p class="row nature">
              <Badge tone="bad">{texts[contradiction.nature as keyof MemoryTexts] ?? contradiction.nature}</Badge>
              <Badge tone={contradiction.resolution_status === "unresolved" ? "note" : "good"}>
                {texts[contradiction.resolution_status as keyof MemoryTexts] ?? contradiction.resolution_status}
              </Badge>
            </p>
            <div class="pair">
              <Side memory={memory} onCorrect={onCorrect} />
              <span class="versus" aria-label={texts.against}>
                ≠
              </span>
              <Side memory={contradiction.contradicting_memory} onCorrect={onCorrect} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Side({ memory, onCorrect }: { memory: Memory; onCorrect: ((memory: Memory) => void) | null }) {
  const texts = useTexts(MEMORY);
  return (
    <div class="side-of">
      <div class="row">
        <Rating value={memory.confidence} />
        <When memory={memory} />
      </div>
      <p class="said">{memory.content}</p>
      <MemoryContext memory={{ ...memory, participants: [], causal_chain: [] }} />
      {onCorrect && (
        <button type="button" onClick={() => onCorrect(memory)}>
          {texts.correct}
        </button>
      )}
    </div>
  );
}
