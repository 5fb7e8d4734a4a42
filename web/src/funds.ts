// The fields of the funds tools' answers that the widgets use. Any figure may be null; `nulls` holds the reason.

export type Nulls = Record<string, string>;
export type Figure = number | null | undefined;

export interface ListedFund {
  symbol: string;
  fund_name: string;
  amc: string | null;
  risk_level: number;
  nav_value: Figure;
  nav_date: string | null;
  nav_change_percent?: Figure;
  perf_ytd?: Figure;
  perf_1y?: Figure;
  performance?: Figure;
  benchmark_performance?: Figure;
  outperformance?: Figure;
  fund_classification?: string | null;
  gone_since?: string | null;
  nulls?: Nulls;
}

export interface FundList {
  funds: ListedFund[];
  totalCount?: number;
  page?: number;
  pageSize?: number;
  totalPages?: number;
  appliedFilters?: Record<string, unknown>;
  period?: string;
  periodStats?: { average: Figure; median: Figure; min: Figure; max: Figure; fundsCounted: number };
}

export interface Fund extends Record<string, unknown> {
  symbol: string;
  fund_name: string;
  fund_name_th: string | null;
  amc: string | null;
  risk_level: number;
  fund_classification: string | null;
  nav_value: Figure;
  nav_date: string | null;
  nav_change: Figure;
  nav_change_percent: Figure;
  benchmark_name: string | null;
  asset_allocation: { asset_class: string; percentage: Figure }[] | null;
  fees: { fee_type: string; fee_desc: string | null; fee_value: Figure; fee_remark: string | null }[] | null;
  suitability?: { risk_level: string | null; target_investor: string | null; investment_horizon: string | null };
  gone_since?: string | null;
  reconciled?: Record<string, { reported: number; computed: number; agrees: boolean }>;
  nulls?: Nulls;
}

export interface NavPoint {
  date: string;
  nav: number;
  change?: Figure;
  changePercent?: Figure;
}

export interface NavHistory {
  fundCode: string;
  fundName: string;
  navHistory: NavPoint[];
  from?: string | null;
  to?: string | null;
  covered?: number;
  isShort?: boolean;
  periodReturn: Figure;
  volatility: Figure;
  maxDrawdown: Figure;
  minNav: Figure;
  maxNav: Figure;
  avgNav: Figure;
  currentNav: Figure;
  currentDate: string | null;
  nulls?: Nulls;
}

export interface ComparedFund extends Record<string, unknown> {
  symbol: string;
  fund_name: string;
  amc: string | null;
  risk_level: number;
  benchmark_name: string | null;
  fees: { fee_desc: string | null; fee_value: Figure }[] | null;
  nav_value: Figure;
  nav_date: string | null;
  nulls?: Nulls;
}

export interface Comparison {
  funds: ComparedFund[];
  comparisonHighlights: Record<string, string | null>;
  ties?: Record<string, string[]>;
}

/** Several funds on their common days, as an index that starts at 100. */
export interface JointChart {
  from: string;
  to: string;
  isShort: boolean;
  dates: string[];
  series: Record<string, number[]>;
}

export const PERIODS = ["ytd", "3m", "6m", "1y", "3y", "5y", "10y"] as const;

export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function asList<T>(value: T[] | null | undefined): T[] {
  return Array.isArray(value) ? value : [];
}
