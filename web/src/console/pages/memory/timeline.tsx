// The memories on a line of time, and below it each in full.
import { day, moment } from "../../format";
import { useLanguage, useWords } from "../../language";
import { Badge, Highlight } from "../../parts";
import { type Memory, momentOf } from "./memories";
import { Rating, toneOf } from "./rating";
import { MEMORY } from "./words";

export function Axis({ memories }: { memories: Memory[] }) {
  const words = useWords(MEMORY);
  const language = useLanguage();
  const placed = memories.flatMap((memory) => {
    const at = momentOf(memory);
    return at ? [{ memory, at }] : [];
  });
  if (placed.length < 2) return null;
  const first = Math.min(...placed.map((one) => one.at.ms));
  const last = Math.max(...placed.map((one) => one.at.ms));
  const spread = last - first || 1;
  const x = (ms: number) => 3 + ((ms - first) / spread) * 94;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => first + share * spread);
  const taken = new Map<number, number>();
  const dots = placed.map(({ memory, at }) => {
    const column = Math.round(x(at.ms) / 1.5);
    const level = taken.get(column) ?? 0;
    taken.set(column, level + 1);
    return { memory, at, left: x(at.ms), up: Math.min(level, 4) };
  });
  return (
    <figure class="axis">
      <svg height="88" role="img" aria-label={`${words.axis}: ${day(new Date(first).toISOString(), language)} – ${day(new Date(last).toISOString(), language)}`}>
        <line x1="1%" x2="99%" y1="58" y2="58" />
        {ticks.map((tick, at) => (
          <g key={at}>
            <line class="tick" x1={`${x(tick)}%`} x2={`${x(tick)}%`} y1="54" y2="62" />
            <text x={`${x(tick)}%`} y="79" class={at === 0 ? "first" : at === 4 ? "last" : ""}>
              {day(new Date(tick).toISOString(), language)}
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
      </svg>
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
  const words = useWords(MEMORY);
  return (
    <li id={memory.id} class={toneOf(memory.confidence)}>
      <div class="row">
        <When memory={memory} />
        <Rating value={memory.confidence} long />
        {memory.properties.contested === true && <Badge tone="note">{words.contested}</Badge>}
        {memory.properties.reads_like_instruction === true && <Badge tone="bad">{words.instruction}</Badge>}
      </div>
      <p class="said">
        <Highlight text={memory.content} words={marks} />
      </p>
      <Surroundings memory={memory} />
      <div class="row foot">
        <small>
          <code>{memory.id}</code> · {memory.type}
        </small>
        {onCorrect && (
          <button type="button" onClick={() => onCorrect(memory)}>
            {words.correct}
          </button>
        )}
      </div>
    </li>
  );
}

export function When({ memory }: { memory: Memory }) {
  const words = useWords(MEMORY);
  const language = useLanguage();
  const at = momentOf(memory);
  if (!at) return <small>{words.unknownTime}</small>;
  // A year or a month is shown as it is: a day that nobody named would be made up.
  const shown = at.text.length < 10 ? at.text : at.happened ? day(at.text, language) : moment(at.text, language);
  return (
    <time dateTime={at.text}>
      <small>{at.happened ? words.happened : words.told}</small> {shown}
    </time>
  );
}

export function Surroundings({ memory }: { memory: Memory }) {
  const words = useWords(MEMORY);
  const notes = Array.isArray(memory.properties.annotations) ? (memory.properties.annotations as { note?: unknown }[]) : [];
  return (
    <dl class="surroundings">
      {memory.participants.length > 0 && (
        <div>
          <dt>{words.about}</dt>
          <dd>{memory.participants.map((one) => (one.role ? `${one.name} (${one.role})` : one.name)).join(", ")}</dd>
        </div>
      )}
      {memory.causal_chain.length > 0 && (
        <div>
          <dt>{words.causes}</dt>
          <dd>
            {memory.causal_chain.map((link) => (
              <span key={`${link.relation} ${link.target_id}`} class="link-of">
                <small>{link.relation === "caused" ? words.caused : link.relation === "caused_by" ? words.caused_by : link.relation}</small> {link.target_summary}
              </span>
            ))}
          </dd>
        </div>
      )}
      {memory.sources.length > 0 && (
        <div>
          <dt>{words.sources}</dt>
          <dd>
            {memory.sources.map((source) => (
              <span key={source.id} class="link-of">
                {[source.type, source.ref, source.citation].filter(Boolean).join(", ")} {source.reliability && <b>{source.reliability}</b>}
              </span>
            ))}
          </dd>
        </div>
      )}
      {notes.length > 0 && (
        <div>
          <dt>{words.notes}</dt>
          <dd>{notes.map((one) => String(one.note ?? "")).join(" · ")}</dd>
        </div>
      )}
    </dl>
  );
}
