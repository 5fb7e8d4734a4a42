-- additive
-- The funds suite. Days are ISO 8601, so that they sort as text; what is not known is NULL, never 0.
-- `folded` is the symbol as codes are compared, `nulls` says in JSON why a figure is missing, `details` is the rest of
-- the fund in JSON. The nav columns repeat the fund's last point, so that a list reads one table.
CREATE TABLE funds (
    symbol TEXT PRIMARY KEY,
    folded TEXT NOT NULL UNIQUE,
    is_demo INTEGER NOT NULL CHECK (is_demo IN (0, 1)),
    fund_name TEXT NOT NULL,
    fund_name_th TEXT,
    amc TEXT,
    fund_classification TEXT,
    risk_level INTEGER NOT NULL CHECK (risk_level BETWEEN 1 AND 8),
    fund_type TEXT NOT NULL,
    nav_date TEXT,
    nav_value REAL,
    nav_change REAL,
    nav_change_percent REAL,
    buy_price REAL,
    sell_price REAL,
    perf_ytd REAL,
    perf_3m REAL,
    perf_6m REAL,
    perf_1y REAL,
    perf_3y REAL,
    perf_5y REAL,
    perf_10y REAL,
    perf_since_inception REAL,
    benchmark_ytd REAL,
    benchmark_3m REAL,
    benchmark_6m REAL,
    benchmark_1y REAL,
    benchmark_3y REAL,
    benchmark_5y REAL,
    benchmark_10y REAL,
    nulls TEXT NOT NULL,
    details TEXT NOT NULL,
    fetched_at TEXT NOT NULL
) STRICT;

CREATE TABLE nav_points (
    symbol TEXT NOT NULL,
    nav_date TEXT NOT NULL,
    nav REAL NOT NULL CHECK (nav > 0),
    net_asset REAL,
    buy_price REAL,
    sell_price REAL,
    PRIMARY KEY (symbol, nav_date)
) STRICT;
