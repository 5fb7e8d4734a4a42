import type { Translations } from "./language";

const en = {
  title: "Go to or search", placeholder: "Page, tool, herb, fund, paper, task, memory or id", searching: "Searching", none: "Nothing found", keys: "↑ ↓ choose · Enter opens · Esc closes",
  everywhere: "Search herbs and papers for “{q}”",
  views: { safety: "Safety check", watched: "Watched queries", coverage: "Coverage of herb warnings", contradictions: "Contradictions of memory", graph: "People and things in memory", list: "All tasks" },
  groups: { recent: "Recent", saved: "Saved views", pages: "Go to", tools: "Run a tool", herbs: "Herbs and medicines", funds: "Funds", tasks: "Tasks", memory: "Memory", papers: "Papers" },
};

export const PALETTE: Translations<typeof en> = {
  en,
  th: {
    title: "ไปยังหน้าหรือค้นหา", placeholder: "หน้า เครื่องมือ สมุนไพร กองทุน งานวิจัย งาน ความจำ หรือรหัส", searching: "กำลังค้นหา", none: "ไม่พบ", keys: "↑ ↓ เลือก · Enter เปิด · Esc ปิด",
    everywhere: "ค้นสมุนไพรและงานวิจัย “{q}”",
    views: { safety: "ตรวจความปลอดภัย", watched: "คำค้นที่ติดตาม", coverage: "ความครอบคลุมของคำเตือนสมุนไพร", contradictions: "ข้อขัดแย้งของความจำ", graph: "คนและสิ่งต่าง ๆ ในความจำ", list: "งานทั้งหมด" },
    groups: { recent: "ล่าสุด", saved: "มุมมองที่บันทึกไว้", pages: "ไปยัง", tools: "เรียกเครื่องมือ", herbs: "สมุนไพรและยา", funds: "กองทุน", tasks: "งาน", memory: "ความจำ", papers: "งานวิจัย" },
  },
};
