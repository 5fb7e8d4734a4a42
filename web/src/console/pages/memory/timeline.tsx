// Memories on a time axis, and below it each in full.
import { formatDay, formatKnown, formatMinute } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { Badge, Highlight, SavedDrawing } from "../../parts";
import { buildHref } from "../../router";
import { type Memory, timeOf } from "./memories";
import { Rating, toneOf } from "./rating";
import { MEMORY, type MemoryTexts, nameTerm } from "./texts";

const DAY_MS = 86_400_000;

export function Axis({ memories }: { memories: Memory[] }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const placed = memories.flatMap((memory) => {
    const at = timeOf(memory);
    return at ? [{ memory, at }] : [];
  });
  if (placed.length < 2) return null;
  const first = Math.min(...placed.map((point) => point.at.ms));
  const last = Math.max(...placed.map((point) => point.at.ms));
  const spread = last - first || 1;
  const x = (ms: number) => 3 + ((ms - first) / spread) * 94;
  // Within two days the hour tells the ticks apart; where even that is the same, one label stands for all.
  const nameTick = (ms: number) => (spread < 2 * DAY_MS ? formatMinute : formatDay)(new Date(ms).toISOString(), language);
  const isOneTick = nameTick(first) === nameTick(last);
  const ticks = (isOneTick ? [0] : spread < 2 * DAY_MS ? [0, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) => first + share * spread);
  const taken = new Map<number, number>();
  const dots = placed.map(({ memory, at }) => {
    const column = Math.round(x(at.ms) / 1.5);
    const level = taken.get(column) ?? 0;
    taken.set(column, level + 1);
    return { memory, at, left: x(at.ms), up: Math.min(level, 4) };
  });
  return (
    <figure class="axis">
      <SavedDrawing
        file="timeline"
        rows={() => placed.map(({ memory, at }) => ({ at: at.text, happened: at.happened, rating: memory.confidence, content: memory.content, id: memory.id }))}
        frameClass="axis-frame"
        height="88"
        role="img" aria-label={`${texts.axis}: ${formatDay(new Date(first).toISOString(), language)} – ${formatDay(new Date(last).toISOString(), language)}`}>
        <line x1="1%" x2="99%" y1="58" y2="58" />
        {ticks.map((tick, at) => (
          <g key={at}>
            <line class="tick" x1={`${x(tick)}%`} x2={`${x(tick)}%`} y1="54" y2="62" />
            <text x={`${x(tick)}%`} y="79" class={at === 0 ? "first" : at === ticks.length - 1 ? "last" : ""}>
              {nameTick(tick)}
            </text>
          </g>
        ))}
        {dots.map(({ memory, left, up, at }) => (
          <circle
            key={memory.id}
            class={`${toneOf(memory.confidence)}${at.happened ? "" : " told"}`}
            cx={`${left}%`}
            cy={46 - up * 10}
            r="6"
            onClick={() => document.getElementById(memory.id)?.scrollIntoView({ block: "center" })}
          >
            <title>{`${memory.confidence ?? ""} ${memory.content.slice(0, 120)}`}</title>
          </circle>
        ))}
      </SavedDrawing>
    </figure>
  );
}

export function Timeline({ memories, marks, onCorrect }: { memories: Memory[]; marks: string[]; onCorrect: ((memory: Memory) => void) | null }) {
  return (
    <ol class="timeline">
      {memories.map((memory) => (
        <Entry key={memory.id} memory={memory} marks={marks} onCorrect={onCorrect} />
      ))}
    </ol>
  );
}

function Entry({ memory, marks, onCorrect }: { memory: Memory; marks: string[]; onCorrect: ((memory: Memory) => void) | null }) {
  const texts = useTexts(MEMORY);
  return (
    <li id={memory.id} class={toneOf(memory.confidence)}>
      <div class="row">
        <When memory={memory} />
        <Rating value={memory.confidence} long />
        {memory.properties.contested === true && <Badge tone="note">{texts.contested}</Badge>}
        {memory.properties.reads_like_instruction === true && <Badge tone="bad">{texts.instruction}</Badge>}
      </div>
      <p class="said">
        <Highlight text={memory.content} words={marks} />
      </p>
      <MemoryContext memory={memory} />
      <div class="row foot">
        <small>
          <a href={buildHref("memory", [memory.id])}>
            <code>{memory.id}</code>
          </a>{" "}
          · {nameTerm(memory.type, texts)}
        </small>
        {onCorrect && (
          <button type="button" onClick={() => onCorrect(memory)}>
            {texts.correct}
          </button>
        )}
      </div>
    </li>
  );
}

export function When({ memory }: { memory: Memory }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const at = timeOf(memory);
  if (!at) return <small>{texts.unknownTime}</small>;
  // A year or a month stays one; a full date would be invented.
  const shown = at.happened ? formatKnown(at.text.slice(0, 10), language) : formatMinute(at.text, language);
  return (
    <time dateTime={at.text}>
      <small>{at.happened ? texts.happened : texts.received}</small> {shown}
    </time>
  );
}

/** A memory that was sent without a source is its own: its id says nothing to a reader. */
function nameSource(memory: Memory, source: Memory["sources"][number], texts: MemoryTexts): string {
  if (source.ref === memory.id) return texts.noSource;
  return [source.type === "unknown" ? null : nameTerm(source.type, texts), source.ref, source.citation].filter(Boolean).join(", ");
}

export function MemoryContext({ memory }: { memory: Memory }) {
  const texts = useTexts(MEMORY);
  const notes = Array.isArray(memory.properties.annotations) ? (memory.properties.annotations as { note?: unknown }[]) : [];
  return (
    <dl class="surroundings">
      {memory.participants.length > 0 && (
        <div>
          <dt>{texts.about}</dt>
          <dd>
            {memory.participants.map((participant, at) => (
              <span key={participant.id}>
                {at > 0 && ", "}
                <a href={buildHref("memory", [], { q: participant.name })}>{participant.name}</a>
                {participant.role && ` (${nameTerm(participant.role, texts)})`}
              </span>
            ))}
          </dd>
        </div>
      )}
      {memory.causal_chain.length > 0 && (
        <div>
          <dt>{texts.causes}</dt>
          <dd>
            {memory.causal_chain.map((link) => (
              <span key={`${link.relation} ${link.target_id}`} class="link-of">
                <small>{link.relation === "caused" ? texts.caused : link.relation === "caused_by" ? texts.caused_by : link.relation}</small> {link.target_summary}
              </span>
            ))}
          </dd>
        </div>
      )}
      {memory.sources.length > 0 && (
        <div>
          <dt>{texts.sources}</dt>
          <dd>
            {memory.sources.map((source) => (
              <span key={source.id} class="link-of">
                {nameSource(memory, source, texts)} {source.reliability && <b>{source.reliability}</b>}
              </span>
            ))}
          </dd>
        </div>
      )}
      {notes.length > 0 && (
        <div>
          <dt>{texts.notes}</dt>
          <dd>{notes.map((annotation) => String(annotation.note ?? "")).join(" · ")}</dd>
        </div>
      )}
    </dl>
  );
}
