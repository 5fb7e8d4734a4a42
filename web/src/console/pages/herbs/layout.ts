// Force-directed layout: nodes repel each other, edges attract, and labels do not overlap.
// It is deterministic: the same graph gives the same layout.
export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

const STEPS = 220;
const GAP = 8;
// Labels and screens are wide, so the layout is computed in a space that is narrower by this factor.
const STRETCH = 1.7;

export function computeLayout(boxes: Box[], links: [string, string][], centre: string, before: ReadonlyMap<string, Point>): Map<string, Point> {
  const narrow = boxes.map((box) => ({ ...box, width: box.width / STRETCH }));
  const known = new Map([...before].map(([id, point]) => [id, { x: point.x / STRETCH, y: point.y }]));
  const at = placeInitially(narrow, links, centre, known);
  const places = narrow.map((box) => at.get(box.id) as Point);
  const order = new Map(narrow.map((box, index) => [box.id, index]));
  const pairs = links.map(([from, to]) => [order.get(from), order.get(to)] as [number, number]);
  for (let step = 0; step < STEPS; step++) {
    const heat = 1 - step / STEPS;
    repel(places, heat);
    attract(places, pairs, heat);
    separate(places, narrow);
    const middle = places[order.get(centre) ?? 0] as Point;
    middle.x *= 0.6;
    middle.y *= 0.6;
  }
  for (let round = 0; round < 60 && separate(places, narrow); round++);
  for (const place of places) place.x *= STRETCH;
  return at;
}

/** Keeps known nodes in place and puts new nodes around the node they are connected to. */
function placeInitially(boxes: Box[], links: [string, string][], centre: string, before: ReadonlyMap<string, Point>): Map<string, Point> {
  const at = new Map<string, Point>();
  const fresh = boxes.filter((box) => !before.has(box.id) && box.id !== centre);
  const parents = new Map<string, string>();
  for (const [from, to] of links) {
    if (before.has(to) && !parents.has(from)) parents.set(from, to);
    if (before.has(from) && !parents.has(to)) parents.set(to, from);
  }
  for (const box of boxes) at.set(box.id, { ...(before.get(box.id) ?? { x: 0, y: 0 }) });
  fresh.forEach((box, index) => {
    const around = before.get(parents.get(box.id) ?? "") ?? { x: 0, y: 0 };
    const angle = (2 * Math.PI * index) / fresh.length;
    const away = 60 + 34 * (index % 3);
    at.set(box.id, { x: around.x + away * Math.cos(angle), y: around.y + away * Math.sin(angle) });
  });
  return at;
}

function repel(places: Point[], heat: number): void {
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length; j++) {
      const a = places[i] as Point;
      const b = places[j] as Point;
      const x = a.x - b.x || 0.1;
      const y = a.y - b.y || 0.1;
      const push = (heat * 900) / (x * x + y * y + 400);
      const length = Math.hypot(x, y);
      a.x += (x / length) * push;
      a.y += (y / length) * push;
      b.x -= (x / length) * push;
      b.y -= (y / length) * push;
    }
  }
}

const LINK_LENGTH = 90;

function attract(places: Point[], pairs: [number, number][], heat: number): void {
  for (const [from, to] of pairs) {
    const a = places[from] as Point;
    const b = places[to] as Point;
    const x = b.x - a.x;
    const y = b.y - a.y;
    const length = Math.hypot(x, y) || 1;
    const pull = heat * 0.06 * (length - LINK_LENGTH);
    a.x += (x / length) * pull;
    a.y += (y / length) * pull;
    b.x -= (x / length) * pull;
    b.y -= (y / length) * pull;
  }
}

/** Separates overlapping boxes along the shorter axis; returns true if any overlapped. */
function separate(places: Point[], boxes: Box[]): boolean {
  let moved = false;
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length; j++) {
      const a = places[i] as Point;
      const b = places[j] as Point;
      const first = boxes[i] as Box;
      const second = boxes[j] as Box;
      const x = (first.width + second.width) / 2 + GAP - Math.abs(a.x - b.x);
      const y = (first.height + second.height) / 2 + GAP - Math.abs(a.y - b.y);
      if (x <= 0 || y <= 0) continue;
      moved = true;
      if (x < y) {
        const shift = (a.x < b.x ? -x : x) / 2;
        a.x += shift;
        b.x -= shift;
      } else {
        const shift = (a.y < b.y ? -y : y) / 2;
        a.y += shift;
        b.y -= shift;
      }
    }
  }
  return moved;
}
