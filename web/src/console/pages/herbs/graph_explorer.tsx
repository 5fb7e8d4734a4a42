// The graph explorer: the drawing, the list of neighbours, and the card of the selected node.
import { useMemo, useState } from "preact/hooks";
import { useLanguage, useTexts } from "../../language";
import { toApiError, useLoaded } from "../../loading";
import { Card, ErrorBox, Icon, AutocompleteField, SelectField, LoadedView, Spinner } from "../../parts";
import { navigate, buildHref } from "../../router";
import type { ApiError } from "../../api";
import { NodeCard } from "./card";
import { Drawing } from "./drawing";
import { EDGE_TYPES, type EdgeType, type GraphNode, NODE_TYPES, type Subgraph, loadSubgraph, mergePage, labelOf, neighboursOf, loadNeighbours, rankStrength } from "./graph";
import { Review, Strength } from "./badges";
import { HERBS } from "./texts";

const STARTS = [
  ["herb", { prompt: "herb_safety", argument: "herb" }],
  ["formulation", { prompt: "herb_safety", argument: "formulations" }],
  ["drug", { prompt: "herb_safety", argument: "drugs" }],
  ["condition", { prompt: "herb_safety", argument: "conditions" }],
  ["indication", { prompt: "herbs_for", argument: "complaint" }],
] as const;
// Studies are connected to everything and clutter the drawing, so they are hidden at first.
const DEFAULT_EDGE_TYPES = new Set<EdgeType>(EDGE_TYPES.filter((type) => type !== "mentioned_in"));

export function GraphExplorer({ type, id }: { type: string; id: string }) {
  const known = NODE_TYPES.some((candidate) => candidate === type) ? type : "herb";
  const loaded = useLoaded((signal) => loadSubgraph(known, id, signal), [known, id]);
  return (
    <div class="stack">
      <StartForm type={known} />
      {loaded.busy && loaded.value?.centre.id !== id && !loaded.error ? <Spinner /> : <LoadedView loaded={loaded}>{(first) => <ExploredGraph key={first.centre.id} first={first} />}</LoadedView>}
    </div>
  );
}

function StartForm({ type }: { type: string }) {
  const texts = useTexts(HERBS);
  const [kind, setKind] = useState(type);
  const [name, setName] = useState("");
  const completions = (STARTS.find(([name]) => name === kind) ?? STARTS[0])[1];
  const start = (chosen: string) => {
    setName("");
    if (chosen.trim()) navigate(buildHref("herbs", [kind, chosen.trim()]));
  };
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault();
        start(name);
      }}
    >
      <SelectField label={texts.kind} value={kind} onValue={setKind} options={STARTS.map(([name]) => [name, texts[name]])} />
      <AutocompleteField label={texts.start} completions={completions} value={name} onValue={setName} onChoose={start} placeholder={texts.startHint} />
      <button type="submit" class="main">
        {texts.show}
      </button>
    </form>
  );
}

function ExploredGraph({ first }: { first: Subgraph }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const [subgraph, setSubgraph] = useState(first);
  const [selected, setSelected] = useState<GraphNode>(first.centre);
  const [types, setTypes] = useState<ReadonlySet<EdgeType>>(DEFAULT_EDGE_TYPES);
  const [error, setError] = useState<ApiError | null>(null);
  const select = async (node: GraphNode) => {
    setSelected(node);
    setError(null);
    if (subgraph.expanded.has(node.id)) return;
    try {
      const page = await loadNeighbours(node.type, node.id);
      setSubgraph((now) => mergePage(now, node, page));
    } catch (caught) {
      setError(toApiError(caught));
    }
  };
  return (
    <>
      <Legend subgraph={subgraph} types={types} onTypes={setTypes} />
      {error && <ErrorBox error={error} />}
      <div class="walk">
        <div class="stack">
          <Drawing subgraph={subgraph} types={types} selected={selected.id} onSelect={(node) => void select(node)} />
          {subgraph.truncated && <small>{texts.tooMany.replace("{n}", "200")}</small>}
          <Card title={texts.neighbours.replace("{name}", labelOf(selected, language))}>
            <Neighbours subgraph={subgraph} types={types} of={selected} onSelect={(node) => void select(node)} />
          </Card>
        </div>
        <Card>
          <NodeCard key={selected.id} node={selected} />
          {selected.id !== first.centre.id && (
            <p class="centre-link">
              <a class="button" href={buildHref("herbs", [selected.type, selected.id])}>
                {texts.centre}
              </a>
            </p>
          )}
        </Card>
      </div>
    </>
  );
}

function Legend({ subgraph, types, onTypes }: { subgraph: Subgraph; types: ReadonlySet<EdgeType>; onTypes(types: ReadonlySet<EdgeType>): void }) {
  const texts = useTexts(HERBS);
  const counts = useMemo(() => {
    const totals = new Map<EdgeType, number>();
    for (const edge of subgraph.edges) totals.set(edge.type, (totals.get(edge.type) ?? 0) + 1);
    return totals;
  }, [subgraph]);
  const there = new Set([...subgraph.nodes.values()].map((node) => node.type));
  const flip = (type: EdgeType) => {
    const next = new Set(types);
    if (!next.delete(type)) next.add(type);
    onTypes(next);
  };
  return (
    <div class="legend">
      <div class="facets" role="group" aria-label={texts.edges}>
        {EDGE_TYPES.filter((type) => counts.has(type)).map((type) => (
          <button key={type} type="button" aria-pressed={types.has(type)} onClick={() => flip(type)}>
            <i class={`line e-${type}`} /> {texts[type]} <b>{counts.get(type)}</b>
          </button>
        ))}
      </div>
      <ul class="inline kinds">
        {NODE_TYPES.filter((type) => there.has(type)).map((type) => (
          <li key={type}>
            <i class={`dot n-${type}`} /> {texts[type]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Neighbours({ subgraph, types, of, onSelect }: { subgraph: Subgraph; types: ReadonlySet<EdgeType>; of: GraphNode; onSelect(node: GraphNode): void }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const shown = neighboursOf(subgraph, of.id, types);
  const hidden = neighboursOf(subgraph, of.id, new Set(EDGE_TYPES)).length - shown.length;
  return (
    <div class="neighbours">
      {EDGE_TYPES.map((type) => {
        const neighbours = shown.filter((neighbour) => neighbour.edge.type === type).sort((a, b) => rankStrength(b.edge) - rankStrength(a.edge));
        if (neighbours.length === 0) return null;
        return (
          <section key={type} aria-label={texts[type]}>
            <h3>{texts[type]}</h3>
            <ul>
              {neighbours.map(({ node, edge }, at) => (
                <li key={`${node.id} ${at}`}>
                  <button type="button" class="quiet" onClick={() => onSelect(node)}>
                    <i class={`dot n-${node.type}`} /> {labelOf(node, language)} {subgraph.expanded.has(node.id) && <Icon name="check" />}
                  </button>
                  <Strength value={edge.strength} />
                  {edge.review !== "reviewed" && <Review value={edge.review} />}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {hidden > 0 && <small>{texts.hidden.replace("{n}", String(hidden))}</small>}
    </div>
  );
}
