// The four pages of the funds suite as AI hosts show them, each asked with live data.
import { useState } from "preact/hooks";
import { useLanguage, useWords } from "../language";
import { Card, ChipsField, OfferedField, PageHead, SelectField, TextField } from "../parts";
import type { PageProps } from "../routes";
import { go, to } from "../router";
import { WidgetFrame } from "./funds/frame";
import { FUNDS } from "./funds/words";

const FIRST_FUND = "ABAPAC-RMF";
const FIRST_PAIR = ["ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH"];
const OFFER = { prompt: "explain_fund_risk", argument: "fund" };
const BETWEEN = "|";

export default function Page({ params }: PageProps) {
  const words = useWords(FUNDS);
  const fund = params.get("fund") ?? FIRST_FUND;
  const compared = (params.get("compare") ?? FIRST_PAIR.join(BETWEEN)).split(BETWEEN).filter(Boolean);
  const put = (part: Record<string, string>) => go(to("funds", [], { ...Object.fromEntries(params), ...part }), true);
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <div class="stack funds">
        <OneFund fund={fund} onFund={(chosen) => put({ fund: chosen })} />
        <FundList />
        <Compared funds={compared} onFunds={(chosen) => put({ compare: chosen.join(BETWEEN) })} />
      </div>
    </>
  );
}

function FundList() {
  const words = useWords(FUNDS);
  const language = useLanguage();
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState("ytd");
  const input = { pageSize: 5, sortBy: sort, sortOrder: sort === "name" || sort === "risk" ? "asc" : "desc", lang: language, ...(search.trim() ? { search: search.trim() } : {}) };
  return (
    <Card title={words.list}>
      <div class="filters">
        <TextField label={words.search} type="search" value={search} onValue={setSearch} maxLength={100} />
        <SelectField label={words.sort} value={sort} onValue={setSort} options={[["ytd", words.ytd], ["1y", words["1y"]], ["risk", words.risk], ["nav", words.nav], ["name", words.name]]} />
      </div>
      <WidgetFrame name="rmf-fund-list" title={words.list} tool="get_rmf_funds" input={input} />
    </Card>
  );
}

function OneFund({ fund, onFund }: { fund: string; onFund(fund: string): void }) {
  const words = useWords(FUNDS);
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  const choose = (chosen: string) => {
    setTyped("");
    onFund(chosen);
  };
  return (
    <Card title={`${words.card}: ${fund}`}>
      <div class="pick">
        <OfferedField label={words.fund} offer={OFFER} value={typed} onValue={setTyped} onChoose={choose} placeholder={words.fundHint} />
      </div>
      <div class="halves">
        <WidgetFrame name="rmf-performance-chart" title={words.chart} tool="get_rmf_fund_nav_history" input={{ fundCode: fund, days: 90, lang: language }} />
        <WidgetFrame name="rmf-fund-card" title={words.card} tool="get_rmf_fund_detail" input={{ fundCode: fund, lang: language }} />
      </div>
    </Card>
  );
}

function Compared({ funds, onFunds }: { funds: string[]; onFunds(funds: string[]): void }) {
  const words = useWords(FUNDS);
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  return (
    <Card title={words.compare} wide>
      <ChipsField label={words.funds} offer={OFFER} values={funds} onValues={(chosen) => onFunds(chosen.slice(-5))} typed={typed} onTyped={setTyped} hint={words.fundsHint} remove={words.remove} />
      {funds.length < 2 ? (
        <p class="hint">{words.few}</p>
      ) : (
        <WidgetFrame name="rmf-fund-comparison" title={words.compare} tool="compare_rmf_funds" input={{ fundCodes: funds, lang: language }} />
      )}
    </Card>
  );
}
