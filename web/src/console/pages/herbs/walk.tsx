// Walking the graph: what is drawn, the list of the same, and the card of what is chosen.
import { useMemo, useState } from "preact/hooks";
import { useLanguage, useWords } from "../../language";
import { asApiError, useLoaded } from "../../loading";
import { Card, ErrorBox, Icon, OfferedField, SelectField, Shown, Spinner } from "../../parts";
import { go, to } from "../../router";
import type { ApiError } from "../../api";
import { NodeCard } from "./card";
import { Drawing, rank } from "./drawing";
import { EDGE_TYPES, type EdgeType, type GraphNode, NODE_TYPES, type Walked, begin, joined, labelOf, neighboursOf, step } from "./graph";
import { Review, Strength } from "./marks";
import { HERBS } from "./words";

const STARTS = [
  ["herb", { prompt: "herb_safety", argument: "herb" }],
  ["formulation", { prompt: "herb_safety", argument: "formulations" }],
  ["drug", { prompt: "herb_safety", argument: "drugs" }],
  ["condition", { prompt: "herb_safety", argument: "conditions" }],
  ["indication", { prompt: "herbs_for", argument: "complaint" }],
] as const;
// Studies hang on everything and say little in a picture: they are there when asked for.
const AT_FIRST = new Set<EdgeType>(EDGE_TYPES.filter((type) => type !== "mentioned_in"));

export function Walk({ type, id }: { type: string; id: string }) {
  const known = NODE_TYPES.some((one) => one === type) ? type : "herb";
  const loaded = useLoaded((signal) => begin(known, id, signal), [known, id]);
  return (
    <div class="stack">
      <StartForm type={known} />
      {loaded.busy && loaded.value?.centre.id !== id && !loaded.error ? <Spinner /> : <Shown loaded={loaded}>{(first) => <Walking key={first.centre.id} first={first} />}</Shown>}
    </div>
  );
}

function StartForm({ type }: { type: string }) {
  const words = useWords(HERBS);
  const [kind, setKind] = useState(type);
  const [name, setName] = useState("");
  const offer = (STARTS.find(([one]) => one === kind) ?? STARTS[0])[1];
  const start = (chosen: string) => {
    setName("");
    if (chosen.trim()) go(to("herbs", [kind, chosen.trim()]));
  };
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault();
        start(name);
      }}
    >
      <SelectField label={words.kind} value={kind} onValue={setKind} options={STARTS.map(([one]) => [one, words[one]])} />
      <OfferedField label={words.start} offer={offer} value={name} onValue={setName} onChoose={start} placeholder={words.startHint} />
      <button type="submit" class="main">
        {words.show}
      </button>
    </form>
  );
}

function Walking({ first }: { first: Walked }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const [walked, setWalked] = useState(first);
  const [selected, setSelected] = useState<GraphNode>(first.centre);
  const [types, setTypes] = useState<ReadonlySet<EdgeType>>(AT_FIRST);
  const [error, setError] = useState<ApiError | null>(null);
  const select = async (node: GraphNode) => {
    setSelected(node);
    setError(null);
    if (walked.expanded.has(node.id)) return;
    try {
      const page = await step(node.type, node.id);
      setWalked((now) => joined(now, node, page));
    } catch (caught) {
      setError(asApiError(caught));
    }
  };
  return (
    <>
      <Legend walked={walked} types={types} onTypes={setTypes} />
      {error && <ErrorBox error={error} />}
      <div class="walk">
        <div class="stack">
          <Drawing walked={walked} types={types} selected={selected.id} onSelect={(node) => void select(node)} />
          {walked.cut && <small>{words.tooMany.replace("{n}", "200")}</small>}
          <Card title={words.neighbours.replace("{name}", labelOf(selected, language))}>
            <Neighbours walked={walked} types={types} of={selected} onSelect={(node) => void select(node)} />
          </Card>
        </div>
        <Card>
          <NodeCard key={selected.id} node={selected} />
          {selected.id !== first.centre.id && (
            <p class="centre-link">
              <a class="button" href={to("herbs", [selected.type, selected.id])}>
                {words.centre}
              </a>
            </p>
          )}
        </Card>
      </div>
    </>
  );
}

function Legend({ walked, types, onTypes }: { walked: Walked; types: ReadonlySet<EdgeType>; onTypes(types: ReadonlySet<EdgeType>): void }) {
  const words = useWords(HERBS);
  const counts = useMemo(() => {
    const found = new Map<EdgeType, number>();
    for (const edge of walked.edges) found.set(edge.type, (found.get(edge.type) ?? 0) + 1);
    return found;
  }, [walked]);
  const there = new Set([...walked.nodes.values()].map((node) => node.type));
  const flip = (type: EdgeType) => {
    const next = new Set(types);
    if (!next.delete(type)) next.add(type);
    onTypes(next);
  };
  return (
    <div class="legend">
      <div class="facets" role="group" aria-label={words.edges}>
        {EDGE_TYPES.filter((type) => counts.has(type)).map((type) => (
          <button key={type} type="button" aria-pressed={types.has(type)} onClick={() => flip(type)}>
            <i class={`line e-${type}`} /> {words[type]} <b>{counts.get(type)}</b>
          </button>
        ))}
      </div>
      <ul class="inline kinds">
        {NODE_TYPES.filter((type) => there.has(type)).map((type) => (
          <li key={type}>
            <i class={`dot n-${type}`} /> {words[type]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Neighbours({ walked, types, of, onSelect }: { walked: Walked; types: ReadonlySet<EdgeType>; of: GraphNode; onSelect(node: GraphNode): void }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const shown = neighboursOf(walked, of.id, types);
  const hidden = neighboursOf(walked, of.id, new Set(EDGE_TYPES)).length - shown.length;
  return (
    <div class="neighbours">
      {EDGE_TYPES.map((type) => {
        const found = shown.filter((one) => one.edge.type === type).sort((one, other) => rank(other.edge) - rank(one.edge));
        if (found.length === 0) return null;
        return (
          <section key={type} aria-label={words[type]}>
            <h3>{words[type]}</h3>
            <ul>
              {found.map(({ node, edge }, at) => (
                <li key={`${node.id} ${at}`}>
                  <button type="button" class="quiet" onClick={() => onSelect(node)}>
                    <i class={`dot n-${node.type}`} /> {labelOf(node, language)} {walked.expanded.has(node.id) && <Icon name="check" />}
                  </button>
                  <Strength value={edge.strength} />
                  {edge.review !== "reviewed" && <Review value={edge.review} />}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {hidden > 0 && <small>{words.hidden.replace("{n}", String(hidden))}</small>}
    </div>
  );
}
