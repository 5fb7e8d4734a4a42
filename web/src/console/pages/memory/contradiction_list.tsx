// All contradictions: those that wait for a correction, and those that are settled. `#/memory/contradictions?state=settled`
import { getJson } from "../../api";
import { formatCount, formatDateTime, formatRelative } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Card, Choices, Empty, type FileRow, LoadedView, PageHead, SaveRows } from "../../parts";
import { buildHref, navigate } from "../../router";
import { Pair, StateBadge } from "./contradictions";
import { useCorrections } from "./corrections";
import { type Memory, timeOf } from "./memories";
import { ReplacedBy } from "./replacements";
import { MEMORY } from "./texts";

const STATES = ["open", "settled", "all"] as const;
type State = (typeof STATES)[number];

interface ListedContradiction {
  id: string;
  nature: string;
  state: "open" | "settled";
  settled_by: "replacement" | "retirement" | "decision" | null;
  detected_at: string;
  /** The later memory first. */
  memories: [ListedSide, ListedSide];
}

interface ListedSide extends Memory {
  is_retired: boolean;
}

export interface ContradictionPage {
  state: State;
  open: number;
  settled: number;
  contradictions: ListedContradiction[];
  summaries: Record<string, string>;
  page: number;
  pages: number;
}

export function loadContradictions(state: State, page: number, signal: AbortSignal): Promise<ContradictionPage> {
  const uri = `memory://contradictions/${state}/${page}`;
  return getJson<{ data: ContradictionPage }>(`/console/api/resource?${new URLSearchParams({ uri })}`, { signal }).then((answer) => answer.data);
}

export function ContradictionListPage({ params }: { params: URLSearchParams }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const state = STATES.find((known) => known === params.get("state")) ?? "open";
  const page = Math.max(1, Number.parseInt(params.get("page") ?? "1", 10) || 1);
  const loaded = useLoaded((signal) => loadContradictions(state, page, signal), [state, page]);
  const corrections = useCorrections(loaded.reload);
  const count = (of: State) => (loaded.value ? ` (${formatCount(of === "all" ? loaded.value.open + loaded.value.settled : loaded.value[of], language)})` : "");
  const named: Record<State, string> = { open: texts.openOnes, settled: texts.settledOnes, all: texts.allOnes };
  const address = (of: State, at = 1) => buildHref("memory", ["contradictions"], { state: of === "open" ? null : of, page: at > 1 ? String(at) : null });
  return (
    <>
      <a class="back" href={buildHref("memory")}>
        ‹ {texts.title}
      </a>
      <PageHead title={texts.contradictions} lead={texts.contradictionsLead} />
      <div class="stack">
        {corrections.history}
        <Choices label={texts.stateOf} value={state} options={STATES.map((of) => [of, `${named[of]}${count(of)}`])} onValue={(of) => navigate(address(of))} />
        <LoadedView loaded={loaded}>
          {(found) =>
            found.contradictions.length === 0 ? (
              <Nothing found={found} />
            ) : (
              <Card>
                <ul class="pairs">
                  {found.contradictions.map((contradiction) => (
                    <li key={contradiction.id}>
                      <Pair
                        nature={contradiction.nature}
                        sides={contradiction.memories}
                        state={<StateOf contradiction={contradiction} />}
                        more={(memory) => <Fate side={memory as ListedSide} found={found} />}
                        onCorrect={contradiction.state === "open" ? corrections.onCorrect : null}
                      />
                    </li>
                  ))}
                </ul>
                <SaveRows name="contradictions" rows={() => found.contradictions.map(toFileRow)} />
                {found.pages > 1 && (
                  <nav class="buttons paging" aria-label={texts.pagesOf}>
                    {found.page > 1 && (
                      <a class="button" href={address(state, found.page - 1)}>
                        ‹ {texts.newer}
                      </a>
                    )}
                    <span>{texts.pageOf.replace("{n}", formatCount(found.page, language)).replace("{total}", formatCount(found.pages, language))}</span>
                    {found.page < found.pages && (
                      <a class="button" href={address(state, found.page + 1)}>
                        {texts.older} ›
                      </a>
                    )}
                  </nav>
                )}
              </Card>
            )
          }
        </LoadedView>
      </div>
      {corrections.dialog(loaded.value?.contradictions.flatMap((contradiction) => contradiction.memories) ?? [])}
    </>
  );
}

function StateOf({ contradiction }: { contradiction: ListedContradiction }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const settled = { replacement: texts.byReplacement, retirement: texts.byRetirement, decision: texts.byDecision };
  return (
    <>
      <StateBadge isOpen={contradiction.state === "open"} reason={settled[contradiction.settled_by ?? "decision"]} />
      <small>
        {texts.foundAt} <time dateTime={contradiction.detected_at} title={formatDateTime(contradiction.detected_at, language)}>{formatRelative(contradiction.detected_at, language)}</time>
      </small>
    </>
  );
}

/** What became of a side: the memory that replaced it, the memories it replaced, or that it was retired. */
function Fate({ side, found }: { side: ListedSide; found: ContradictionPage }) {
  const texts = useTexts(MEMORY);
  return (
    <>
      {side.is_retired && <Badge tone="plain">{texts.retired}</Badge>}
      <ReplacedBy memory={side} summaries={found.summaries} />
    </>
  );
}

function Nothing({ found }: { found: ContradictionPage }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  if (found.state === "settled") return <Empty title={texts.noneSettled}>{texts.noneSettledHint}</Empty>;
  return (
    <Empty title={texts.noneOpen}>
      {texts.noneOpenHint}{" "}
      {found.settled > 0 ? (
        <a href={buildHref("memory", ["contradictions"], { state: "settled" })}>{texts.seeSettled.replace("{n}", formatCount(found.settled, language))}</a>
      ) : (
        <a href={buildHref("memory")}>{texts.toMemory}</a>
      )}
    </Empty>
  );
}

function toFileRow(contradiction: ListedContradiction): FileRow {
  const side = (name: string, memory: Memory): FileRow => ({
    [`${name}_id`]: memory.id,
    [name]: memory.content,
    [`${name}_rating`]: memory.confidence,
    [`${name}_time`]: timeOf(memory)?.text ?? null,
    [`${name}_sources`]: memory.sources.map((source) => source.ref ?? source.type).join("; "),
    [`${name}_superseded_by`]: memory.superseded_by,
  });
  const [later, earlier] = contradiction.memories;
  return {
    id: contradiction.id,
    detected_at: contradiction.detected_at,
    nature: contradiction.nature,
    state: contradiction.state,
    settled_by: contradiction.settled_by,
    ...side("later", later),
    ...side("earlier", earlier),
  };
}
