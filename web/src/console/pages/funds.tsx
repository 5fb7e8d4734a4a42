// The four fund widgets, as AI hosts show them, with live data.
import { useState } from "preact/hooks";
import { useLanguage, useTexts } from "../language";
import { useLoaded } from "../loading";
import { Card, ChipsField, AutocompleteField, ErrorBox, PageHead, SelectField, TextField } from "../parts";
import type { PageProps } from "../routes";
import { navigate, buildHref } from "../router";
import { FundCharts, JointChart, loadFund } from "./funds/charts";
import { WidgetFrame } from "./funds/widget_frame";
import { FUNDS } from "./funds/texts";

const FIRST_FUND = "ABAPAC-RMF";
const FIRST_PAIR = ["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH"];
const FUND_COMPLETIONS = { prompt: "explain_fund_risk", argument: "fund" };
const BETWEEN = "|";

export default function Page({ path, params }: PageProps) {
  const texts = useTexts(FUNDS);
  const [code] = path;
  if (code) return <FundPage key={code} code={code} />;
  const fund = params.get("fund") ?? FIRST_FUND;
  const compared = (params.get("compare") ?? FIRST_PAIR.join(BETWEEN)).split(BETWEEN).filter(Boolean);
  const put = (part: Record<string, string>) => navigate(buildHref("funds", [], { ...Object.fromEntries(params), ...part }), true);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="stack funds">
        <FundDetails fund={fund} onFund={(chosen) => put({ fund: chosen })} />
        <FundList />
        <FundComparison funds={compared} onFunds={(chosen) => put({ compare: chosen.join(BETWEEN) })} />
      </div>
    </>
  );
}

function FundPage({ code }: { code: string }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const loaded = useLoaded((signal) => loadFund(code, signal), [code]);
  const name = language === "th" ? (loaded.value?.fund_name_th ?? loaded.value?.fund_name) : loaded.value?.fund_name;
  const symbol = typeof loaded.value?.symbol === "string" ? loaded.value.symbol : code;
  return (
    <>
      <a class="back" href={buildHref("funds")}>
        ‹ {texts.back}
      </a>
      <PageHead title={symbol} lead={name ?? ""}>
        <a class="button" href={buildHref("funds", [], { compare: [symbol, ...FIRST_PAIR.filter((other) => other !== symbol)].slice(0, 3).join(BETWEEN) })}>
          {texts.inCompare}
        </a>
      </PageHead>
      {loaded.error ? (
        <ErrorBox error={loaded.error} onRetry={loaded.reload} />
      ) : (
        loaded.value && (
          <div class="stack funds">
            <FundCharts code={symbol} />
            <Card title={texts.details}>
              <WidgetFrame name="rmf-fund-card" title={texts.card} tool="get_rmf_fund_detail" input={{ fundCode: symbol, lang: language }} />
            </Card>
          </div>
        )
      )}
    </>
  );
}

function FundList() {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState("ytd");
  const input = { pageSize: 5, sortBy: sort, sortOrder: sort === "name" || sort === "risk" ? "asc" : "desc", lang: language, ...(search.trim() ? { search: search.trim() } : {}) };
  return (
    <Card title={texts.list}>
      <div class="filters">
        <TextField label={texts.search} type="search" value={search} onValue={setSearch} maxLength={100} />
        <SelectField label={texts.sort} value={sort} onValue={setSort} options={[["ytd", texts.ytd], ["1y", texts["1y"]], ["3y", texts["3y"]], ["5y", texts["5y"]], ["risk", texts.risk], ["nav", texts.nav], ["name", texts.name]]} />
      </div>
      <WidgetFrame name="rmf-fund-list" title={texts.list} tool="get_rmf_funds" input={input} />
    </Card>
  );
}

function FundDetails({ fund, onFund }: { fund: string; onFund(fund: string): void }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  const choose = (chosen: string) => {
    setTyped("");
    onFund(chosen);
  };
  return (
    <Card title={`${texts.card}: ${fund}`}>
      <div class="pick">
        <AutocompleteField label={texts.fund} completions={FUND_COMPLETIONS} value={typed} onValue={setTyped} onChoose={choose} placeholder={texts.fundHint} onlyCompletions />
        <p class="hint">
          <a href={buildHref("funds", [fund])}>{texts.page}</a>
        </p>
      </div>
      <div class="halves">
        <WidgetFrame name="rmf-performance-chart" title={texts.chart} tool="get_rmf_fund_nav_history" input={{ fundCode: fund, days: 90, lang: language }} />
        <WidgetFrame name="rmf-fund-card" title={texts.card} tool="get_rmf_fund_detail" input={{ fundCode: fund, lang: language }} />
      </div>
    </Card>
  );
}

function FundComparison({ funds, onFunds }: { funds: string[]; onFunds(funds: string[]): void }) {
  const texts = useTexts(FUNDS);
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  return (
    <Card title={texts.compare} wide>
      <ChipsField label={texts.funds} completions={FUND_COMPLETIONS} values={funds} onValues={(chosen) => onFunds(chosen.slice(-5))} typed={typed} onTyped={setTyped} hint={texts.fundsHint} remove={texts.remove} onlyCompletions />
      {funds.length < 2 ? (
        <p class="hint">{texts.few}</p>
      ) : (
        <>
          <JointChart codes={funds} />
          <WidgetFrame name="rmf-fund-comparison" title={texts.compare} tool="compare_rmf_funds" input={{ fundCodes: funds, lang: language }} />
        </>
      )}
    </Card>
  );
}
