import type { Translations } from "../../language";

const en = {
  title: "Funds", lead: "Thai retirement funds (RMF): the same four widgets that AI hosts show, with live data.",
  list: "Funds", card: "Fund details", chart: "NAV", compare: "Comparison", search: "Name or symbol", sort: "Sort by", ytd: "This year", "1y": "One year", "3y": "Three years", "5y": "Five years", risk: "Risk", nav: "NAV", name: "Name", most: "Maximum risk", any: "any",
  fund: "Fund", fundHint: "Symbol or name", days: "Days", funds: "Funds to compare", fundsHint: "Two to five symbols", remove: "Remove", show: "Show", view: "Page", few: "Select at least two funds.", symbol: "Symbol", waiting: "Loading",
};

export const FUNDS: Translations<typeof en> = {
  en,
  th: {
    title: "กองทุน", lead: "กองทุนรวมเพื่อการเลี้ยงชีพ (RMF) อย่างที่โปรแกรม AI แสดง: สี่หน้าเดียวกัน ข้อมูลสด",
    list: "รายชื่อกองทุน", card: "กองทุนเดียว", chart: "กราฟ NAV", compare: "เทียบกัน", search: "ชื่อหรือสัญลักษณ์", sort: "เรียงตาม", ytd: "ปีนี้", "1y": "1 ปี", "3y": "3 ปี", "5y": "5 ปี", risk: "ความเสี่ยง", nav: "NAV", name: "ชื่อ", most: "ความเสี่ยงไม่เกิน", any: "ทั้งหมด",
    fund: "กองทุน", fundHint: "สัญลักษณ์หรือชื่อ", days: "วัน", funds: "กองทุนที่จะเทียบ", fundsHint: "สองถึงห้ากอง", remove: "เอาออก", show: "แสดง", view: "หน้า", few: "ระบุอย่างน้อยสองกองทุน", symbol: "สัญลักษณ์", waiting: "กำลังโหลด",
  },
};
