import type { Translations } from "../../language";

const en = {
  title: "Suites", lead: "The suites of this server. A suite that a package brings gets a page of its own, made from its contracts.",
  tools: (count: number) => (count === 1 ? "1 tool" : `${count} tools`), open: "Open", builtIn: "built in", guest: "from a package", fromPackage: (name: string, version: string) => `from the package ${name} ${version}`,
  empty: "The list is empty", emptyHint: "Add something with a tool of this page.", more: "Show more", refresh: "Refresh",
  resources: "Resources", read: "Open", toolForms: "Tools", prompts: "Prompts", promptsHint: "An AI client offers these; they take:", nothing: "nothing",
};

export const SUITES: Translations<typeof en> = {
  en,
  th: {
    title: "ชุดเครื่องมือ", lead: "ชุดเครื่องมือของเซิร์ฟเวอร์นี้ ชุดที่มากับแพ็กเกจจะได้หน้าของตัวเอง สร้างจากสัญญาของมัน",
    tools: (count) => `${count} เครื่องมือ`, open: "เปิด", builtIn: "มากับระบบ", guest: "จากแพ็กเกจ", fromPackage: (name, version) => `จากแพ็กเกจ ${name} ${version}`,
    empty: "ยังไม่มีรายการ", emptyHint: "เพิ่มได้ด้วยเครื่องมือในหน้านี้", more: "แสดงเพิ่ม", refresh: "โหลดใหม่",
    resources: "ข้อมูลอ้างอิง", read: "เปิด", toolForms: "เครื่องมือ", prompts: "คำสั่งสำเร็จรูป", promptsHint: "โปรแกรม AI มีให้เลือก โดยรับ:", nothing: "ไม่มี",
  },
};
