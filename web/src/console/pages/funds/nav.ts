// NAV histories, and the figures that the charts show.
import { callTool } from "../../api";

export interface NavPoint {
  date: string;
  nav: number;
}

export async function loadHistory(fundCode: string, days: number, signal: AbortSignal): Promise<NavPoint[]> {
  const { data } = await callTool<{ structuredContent: { navHistory: NavPoint[] } }>("get_rmf_fund_nav_history", { fundCode, days }, { signal });
  return data.structuredContent.navHistory;
}

/** Percent below the highest value so far. */
export function toDrawdown(values: (number | null)[]): (number | null)[] {
  let highest = -Infinity;
  return values.map((value) => {
    if (value === null) return null;
    highest = Math.max(highest, value);
    return (value / highest - 1) * 100;
  });
}

/** Values against the first day on which all have one, which is 100. */
export function rebase(histories: NavPoint[][]): { days: string[]; values: (number | null)[][] } {
  const days = [...new Set(histories.flatMap((points) => points.map((point) => point.date)))].sort();
  const start = histories.map((points) => points[0]?.date ?? "").sort().pop() ?? "";
  const shown = days.filter((day) => day >= start);
  const values = histories.map((points) => {
    const navs = new Map(points.map((point) => [point.date, point.nav]));
    const base = points.find((point) => point.date >= start)?.nav;
    return shown.map((day) => {
      const nav = navs.get(day);
      return nav === undefined || !base ? null : (nav / base) * 100;
    });
  });
  return { days: shown, values: values.map(bridgeGaps) };
}

/** A day on which one fund has no price keeps its line whole: the price before holds. */
function bridgeGaps(values: (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
}

export interface YearReturn {
  year: number;
  percent: number;
  /** False where the data covers only a part of the year. */
  whole: boolean;
}

/** Returns by calendar year, from the last price of the year before, or the first that there is. */
export function returnsByYear(points: NavPoint[]): YearReturn[] {
  const years = [...new Set(points.map((point) => Number(point.date.slice(0, 4))))].sort();
  return years.flatMap((year) => {
    const within = points.filter((point) => point.date.startsWith(String(year)));
    const before = points.filter((point) => point.date < `${year}-01-01`).pop();
    const first = before ?? within[0];
    const last = within[within.length - 1];
    if (!first || !last || first === last) return [];
    return [{ year, percent: (last.nav / first.nav - 1) * 100, whole: before !== undefined && last.date >= `${year}-12-20` }];
  });
}
