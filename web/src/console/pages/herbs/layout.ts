// Where the nodes of a drawing go: they push each other away, links pull them together, and no two labels overlap.
// The same graph always gives the same drawing.
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
// Labels are wide and screens are too: everything is laid out in a space narrower than the picture by this much.
const STRETCH = 1.7;

export function layOut(boxes: Box[], links: [string, string][], centre: string, before: ReadonlyMap<string, Point>): Map<string, Point> {
  const narrow = boxes.map((box) => ({ ...box, width: box.width / STRETCH }));
  const known = new Map([...before].map(([id, point]) => [id, { x: point.x / STRETCH, y: point.y }]));
  const at = firstPlaces(narrow, links, centre, known);
  const places = narrow.map((box) => at.get(box.id) as Point);
  const order = new Map(narrow.map((box, index) => [box.id, index]));
  const pairs = links.map(([one, other]) => [order.get(one), order.get(other)] as [number, number]);
  for (let step = 0; step < STEPS; step++) {
    const heat = 1 - step / STEPS;
    repel(places, heat);
    attract(places, pairs, heat);
    part(places, narrow);
    const middle = places[order.get(centre) ?? 0] as Point;
    middle.x *= 0.6;
    middle.y *= 0.6;
  }
  for (let round = 0; round < 60 && part(places, narrow); round++);
  for (const place of places) place.x *= STRETCH;
  return at;
}

/** Known ones stay where they were; new ones begin around what they hang on, side by side with their kin. */
function firstPlaces(boxes: Box[], links: [string, string][], centre: string, before: ReadonlyMap<string, Point>): Map<string, Point> {
  const at = new Map<string, Point>();
  const fresh = boxes.filter((box) => !before.has(box.id) && box.id !== centre);
  const parents = new Map<string, string>();
  for (const [one, other] of links) {
    if (before.has(other) && !parents.has(one)) parents.set(one, other);
    if (before.has(one) && !parents.has(other)) parents.set(other, one);
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
  for (let one = 0; one < places.length; one++) {
    for (let other = one + 1; other < places.length; other++) {
      const a = places[one] as Point;
      const b = places[other] as Point;
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

const WANTED = 90;

function attract(places: Point[], pairs: [number, number][], heat: number): void {
  for (const [one, other] of pairs) {
    const a = places[one] as Point;
    const b = places[other] as Point;
    const x = b.x - a.x;
    const y = b.y - a.y;
    const length = Math.hypot(x, y) || 1;
    const pull = heat * 0.06 * (length - WANTED);
    a.x += (x / length) * pull;
    a.y += (y / length) * pull;
    b.x -= (x / length) * pull;
    b.y -= (y / length) * pull;
  }
}

/** Moves overlapping boxes apart along the shorter way; says whether any overlapped. */
function part(places: Point[], boxes: Box[]): boolean {
  let moved = false;
  for (let one = 0; one < places.length; one++) {
    for (let other = one + 1; other < places.length; other++) {
      const a = places[one] as Point;
      const b = places[other] as Point;
      const first = boxes[one] as Box;
      const second = boxes[other] as Box;
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
