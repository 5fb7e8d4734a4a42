import { useWords } from "../../language";
import { Badge, Card } from "../../parts";
import { type Memory, type Recalled, pairsOf } from "./memories";
import { Rating } from "./rating";
import { Surroundings, When } from "./timeline";
import { MEMORY, type MemoryWords } from "./words";

export function Contradictions({ recalled, onCorrect }: { recalled: Recalled; onCorrect: ((memory: Memory) => void) | null }) {
  const words = useWords(MEMORY);
  const pairs = pairsOf(recalled);
  if (pairs.length === 0) return null;
  return (
    <Card title={`${words.contradictions} (${pairs.length})`} wide>
      <ul class="pairs">
        {pairs.map(({ contradiction, memory }) => (
          <li key={contradiction.id}>
            <p class="row nature">
              <Badge tone="bad">{words[contradiction.nature as keyof MemoryWords] ?? contradiction.nature}</Badge>
              <Badge tone={contradiction.resolution_status === "unresolved" ? "note" : "good"}>
                {words[contradiction.resolution_status as keyof MemoryWords] ?? contradiction.resolution_status}
              </Badge>
            </p>
            <div class="pair">
              <Side memory={memory} onCorrect={onCorrect} />
              <span class="versus" aria-label={words.against}>
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
  const words = useWords(MEMORY);
  return (
    <div class="side-of">
      <div class="row">
        <Rating value={memory.confidence} />
        <When memory={memory} />
      </div>
      <p class="said">{memory.content}</p>
      <Surroundings memory={{ ...memory, participants: [], causal_chain: [] }} />
      {onCorrect && (
        <button type="button" onClick={() => onCorrect(memory)}>
          {words.correct}
        </button>
      )}
    </div>
  );
}
