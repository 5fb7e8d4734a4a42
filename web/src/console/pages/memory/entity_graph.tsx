// People, places and things that the memories are about, joined where a memory names both.
import { useMemo } from "preact/hooks";
import { callTool, getJson } from "../../api";
import { formatCount } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, type Column, Empty, LoadedView, PageHead, SavedDrawing, Table } from "../../parts";
import { buildHref, navigate } from "../../router";
import { type Point, computeLayout } from "../herbs/layout";
import { isName } from "./memories";
import { MEMORY, nameTerm } from "./texts";

interface Entity {
  id: string;
  name: string;
  type: string;
  memories: string[];
}

const MOST_ENTITIES = 24;
const LETTER = 9.5;

async function loadEntities(signal: AbortSignal): Promise<Entity[]> {
  const params = new URLSearchParams({ prompt: "what_we_know", argument: "subject", value: "" });
  const { values } = await getJson<{ values: string[] }>(`/console/api/complete?${params}`, { signal });
  const answers = await Promise.all(
    values.filter(isName).slice(0, MOST_ENTITIES).map((entity) => callTool<{ entities?: { id: string; name: string; type: string; memories: { id: string }[] }[] }>("get_entity", { entity, limit: 100 }, { signal })),
  );
  const found = answers.flatMap((answer) => answer.data.entities ?? []);
  return [...new Map(found.map((entity) => [entity.id, { ...entity, memories: entity.memories.map((memory) => memory.id) }])).values()];
}

function listLinks(entities: Entity[]): { from: Entity; to: Entity; shared: number }[] {
  return entities.flatMap((from, at) =>
    entities.slice(at + 1).flatMap((to) => {
      const shared = to.memories.filter((id) => from.memories.includes(id)).length;
      return shared ? [{ from, to, shared }] : [];
    }),
  );
}

export function EntityGraphPage() {
  const texts = useTexts(MEMORY);
  const loaded = useLoaded(loadEntities, []);
  return (
    <>
      <a class="back" href={buildHref("memory")}>
        ‹ {texts.title}
      </a>
      <PageHead title={texts.graph} lead={texts.graphLead} />
      <LoadedView loaded={loaded}>{(entities) => (entities.length === 0 ? <Empty title={texts.noneYet}>{texts.noneYetHint}</Empty> : <EntityGraph entities={entities} />)}</LoadedView>
    </>
  );
}

function EntityGraph({ entities }: { entities: Entity[] }) {
  const texts = useTexts(MEMORY);
  const language = useLanguage();
  const links = useMemo(() => listLinks(entities), [entities]);
  const centre = [...entities].sort((a, b) => b.memories.length - a.memories.length)[0] as Entity;
  const width = (entity: Entity) => Math.min(entity.name.length, 24) * LETTER + 34;
  const places = useMemo(() => {
    const found = computeLayout(
      entities.map((entity) => ({ id: entity.id, width: width(entity), height: 34 })),
      links.map((link) => [link.from.id, link.to.id]),
      centre.id,
      new Map(),
    );
    return clearLines(found, links.map((link) => [link.from.id, link.to.id]));
  }, [entities]);
  const at = (entity: Entity) => places.get(entity.id) ?? { x: 0, y: 0 };
  const left = Math.min(...entities.map((entity) => at(entity).x - width(entity) / 2)) - 16;
  const right = Math.max(...entities.map((entity) => at(entity).x + width(entity) / 2)) + 16;
  const top = Math.min(...entities.map((entity) => at(entity).y)) - 34;
  const bottom = Math.max(...entities.map((entity) => at(entity).y)) + 34;
  const open = (entity: Entity) => navigate(buildHref("memory", [], { q: entity.name }));
  const columns: Column<Entity>[] = [
    { name: "name", title: texts.entity, value: (entity) => entity.name, show: (entity) => <a href={buildHref("memory", [], { q: entity.name })}>{entity.name}</a> },
    { name: "type", title: texts.entityType, value: (entity) => entity.type, show: (entity) => nameTerm(entity.type, texts) },
    { name: "memories", title: texts.memories, figure: true, value: (entity) => entity.memories.length, show: (entity) => formatCount(entity.memories.length, language) },
    { name: "with", title: texts.together, value: (entity) => namesBeside(entity, links).join("; "), show: (entity) => namesBeside(entity, links).join(", ") || "–" },
  ];
  return (
    <div class="stack">
      <div class="drawing entities">
        <SavedDrawing file="entity-links" rows={() => links.map(({ from, to, shared }) => ({ from: from.name, to: to.name, memories: shared }))} frameClass="drawing-frame" scrolls={texts.drawing} viewBox={`${left} ${top} ${right - left} ${bottom - top}`} role="img" aria-label={texts.graph} style={{ maxWidth: `${Math.round(right - left)}px`, margin: "0 auto" }}>
          {links.map((link) => (
            <line key={`${link.from.id} ${link.to.id}`} x1={at(link.from).x} y1={at(link.from).y} x2={at(link.to).x} y2={at(link.to).y} class={link.shared > 1 ? "lit" : ""} />
          ))}
          {entities.map((entity) => (
            <g key={entity.id} class={`node e-${entity.type}`} onClick={() => open(entity)}>
              <rect x={at(entity).x - width(entity) / 2} y={at(entity).y - 15} width={width(entity)} height="30" rx="15" />
              <circle cx={at(entity).x - width(entity) / 2 + 15} cy={at(entity).y} r="5" />
              <text x={at(entity).x - width(entity) / 2 + 26} y={at(entity).y + 5}>
                {entity.name.length > 24 ? `${entity.name.slice(0, 23)}…` : entity.name}
              </text>
            </g>
          ))}
        </SavedDrawing>
      </div>
      <Card>
        <Table label={texts.graph} columns={columns} rows={entities} keyOf={(entity) => entity.id} file="entities" />
      </Card>
    </div>
  );
}

const CLEARANCE = 40;

/** Moves what lies on a line between two others off it: the drawing would join all three. */
function clearLines(places: Map<string, Point>, links: [string, string][]): Map<string, Point> {
  const cleared = new Map(places);
  for (const [from, to] of links) {
    const start = cleared.get(from);
    const end = cleared.get(to);
    if (!start || !end) continue;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    for (const [id, { x, y }] of cleared) {
      const along = ((x - start.x) * dx + (y - start.y) * dy) / length ** 2;
      const beside = ((x - start.x) * dy - (y - start.y) * dx) / length;
      if (id === from || id === to || along <= 0 || along >= 1 || Math.abs(beside) >= CLEARANCE) continue;
      const push = (beside < 0 ? -1 : 1) * (CLEARANCE - Math.abs(beside));
      cleared.set(id, { x: x + (push * dy) / length, y: y - (push * dx) / length });
    }
  }
  return cleared;
}

function namesBeside(entity: Entity, links: { from: Entity; to: Entity }[]): string[] {
  return links.flatMap((link) => (link.from.id === entity.id ? [link.to.name] : link.to.id === entity.id ? [link.from.name] : []));
}
