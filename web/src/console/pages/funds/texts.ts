import type { Translations } from "../../language";

const en = {
  title: "Funds", lead: "Thai retirement funds (RMF): the charts and cards that AI hosts show, with the data of this server.",
  list: "Funds", card: "Fund details", chart: "NAV", compare: "Comparison", search: "Name or symbol", sort: "Sort by", ytd: "This year", "1y": "One year", "3y": "Three years", "5y": "Five years", risk: "Risk", nav: "NAV", name: "Name", most: "Maximum risk", any: "any",
  drawdown: "Below the peak", together: "Growth of 100", byPeriod: "Returns by period", byYear: "Returns by year", returned: "Return", benchmark: "Benchmark", baht: "Baht", perYear: "Over three years and more: percent per year.", partOfYear: "* The data covers a part of this year.",
  periods: { ytd: "YTD", "3m": "3 m", "6m": "6 m", "1y": "1 y", "3y": "3 y", "5y": "5 y", "10y": "10 y" }, daysOf: (days: string) => (days === "365" ? "1 year" : `${days} days`), noPrices: "No prices for this time", noPricesHint: "Choose a longer time, or import newer data.", back: "Funds", page: "Open its page", inCompare: "Compare", details: "Details",
  fund: "Fund", fundHint: "Symbol or name", days: "Days", funds: "Funds to compare", fundsHint: "Two to five symbols", remove: "Remove", show: "Show", view: "Page", few: "Select at least two funds.", symbol: "Symbol", waiting: "Loading",
};

export const FUNDS: Translations<typeof en> = {
  en,
  th: {
    title: "กองทุน", lead: "กองทุนรวมเพื่อการเลี้ยงชีพ (RMF) กราฟและการ์ดอย่างที่โปรแกรม AI แสดง จากข้อมูลของเซิร์ฟเวอร์นี้",
    list: "รายชื่อกองทุน", card: "กองทุนเดียว", chart: "กราฟ NAV", compare: "เทียบกัน", search: "ชื่อหรือสัญลักษณ์", sort: "เรียงตาม", ytd: "ปีนี้", "1y": "1 ปี", "3y": "3 ปี", "5y": "5 ปี", risk: "ความเสี่ยง", nav: "NAV", name: "ชื่อ", most: "ความเสี่ยงไม่เกิน", any: "ทั้งหมด",
    drawdown: "ต่ำกว่าจุดสูงสุด", together: "มูลค่าจาก 100", byPeriod: "ผลตอบแทนตามช่วงเวลา", byYear: "ผลตอบแทนรายปี", returned: "ผลตอบแทน", benchmark: "ดัชนีชี้วัด", baht: "บาท", perYear: "ตั้งแต่สามปีขึ้นไปเป็นร้อยละต่อปี", partOfYear: "* ข้อมูลมีเพียงบางส่วนของปีนี้",
    periods: { ytd: "ต้นปี", "3m": "3 ด.", "6m": "6 ด.", "1y": "1 ปี", "3y": "3 ปี", "5y": "5 ปี", "10y": "10 ปี" }, daysOf: (days) => (days === "365" ? "1 ปี" : `${days} วัน`), noPrices: "ไม่มีราคาในช่วงนี้", noPricesHint: "เลือกช่วงที่ยาวขึ้น หรือนำเข้าข้อมูลใหม่", back: "กองทุนทั้งหมด", page: "เปิดหน้ากองทุน", inCompare: "เทียบ", details: "รายละเอียด",
    fund: "กองทุน", fundHint: "สัญลักษณ์หรือชื่อ", days: "วัน", funds: "กองทุนที่จะเทียบ", fundsHint: "สองถึงห้ากอง", remove: "เอาออก", show: "แสดง", view: "หน้า", few: "ระบุอย่างน้อยสองกองทุน", symbol: "สัญลักษณ์", waiting: "กำลังโหลด",
  },
};
