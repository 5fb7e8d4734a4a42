// Two memories that cannot both be true, side by side.
import type { ComponentChildren } from "preact";
import { useTexts } from "../../language";
import { Badge, Card } from "../../parts";
import { buildHref } from "../../router";
import { type Contradiction, type Memory, type RecallAnswer, pairsOf } from "./memories";
import { Rating } from "./rating";
import { MemoryContext, When } from "./timeline";
import { MEMORY, type MemoryTexts } from "./texts";

type OnCorrect = ((memory: Memory) => void) | null;

/** The contradictions of the memories that a question found. */
export function Contradictions({ recalled, onCorrect }: { recalled: RecallAnswer; onCorrect: OnCorrect }) {
  const texts = useTexts(MEMORY);
  const pairs = pairsOf(recalled);
  if (pairs.length === 0) return null;
  return (
    <Card title={`${texts.contradictions} (${pairs.length})`} aside={<a href={buildHref("memory", ["contradictions"])}>{texts.allContradictions}</a>} wide>
      <ul class="pairs">
        {pairs.map(({ contradiction, memory }) => (
          <li key={contradiction.id}>
            <Pair nature={contradiction.nature} sides={[memory, contradiction.contradicting_memory]} state={<StateBadge isOpen={isOpen(contradiction, recalled)} />} onCorrect={onCorrect} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether neither side was replaced, as far as the answer tells: it names what replaced the memories that it found. */
function isOpen(contradiction: Contradiction, recalled: RecallAnswer): boolean {
  const sides = [contradiction.memory_id, contradiction.contradicting_memory.id];
  return contradiction.resolution_status === "unresolved" && !recalled.memories.some((memory) => sides.includes(memory.id) && memory.superseded_by);
}

export function StateBadge({ isOpen, reason }: { isOpen: boolean; reason?: string | undefined }) {
  const texts = useTexts(MEMORY);
  if (isOpen) return <Badge tone="note">{texts.unresolved}</Badge>;
  return <Badge tone="good">{reason ? `${texts.resolved}: ${reason}` : texts.resolved}</Badge>;
}

interface PairProps {
  nature: string;
  sides: [Memory, Memory];
  /** Badges beside the nature. */
  state?: ComponentChildren;
  /** What stands below the text of a side. */
  more?: (memory: Memory) => ComponentChildren;
  onCorrect: OnCorrect;
}

export function Pair({ nature, sides, state, more, onCorrect }: PairProps) {
  const texts = useTexts(MEMORY);
  return (
    <>
      <p class="row nature">
        <Badge tone="bad">{texts[nature as keyof MemoryTexts] ?? nature}</Badge>
        {state}
      </p>
      <div class="pair">
        <Side memory={sides[0]} more={more?.(sides[0])} onCorrect={onCorrect} />
        <span class="versus" role="img" aria-label={texts.against}>
          ≠
        </span>
        <Side memory={sides[1]} more={more?.(sides[1])} onCorrect={onCorrect} />
      </div>
    </>
  );
}

function Side({ memory, more, onCorrect }: { memory: Memory; more: ComponentChildren; onCorrect: OnCorrect }) {
  const texts = useTexts(MEMORY);
  return (
    <div class="side-of">
      <div class="row">
        <Rating value={memory.confidence} />
        <When memory={memory} />
      </div>
      <p class="said">{memory.content}</p>
      <MemoryContext memory={{ ...memory, participants: [], causal_chain: [] }} />
      {more}
      <div class="buttons">
        <a class="button" href={buildHref("memory", [memory.id])}>
          {texts.openMemory}
        </a>
        {onCorrect && (
          <button type="button" onClick={() => onCorrect(memory)}>
            {texts.correct}
          </button>
        )}
      </div>
    </div>
  );
}
