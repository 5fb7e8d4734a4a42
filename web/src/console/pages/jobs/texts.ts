import type { Translations } from "../../language";

const en = {
  title: "Jobs", lead: "Background work: documents that are ingested into the herb graph. You review the changes before anything is written.",
  ingest: "Ingest documents", path: "Documents", pathHint: "One per line: a file:// URI, or a path below", language: "Language of the text", auto: "detect", thai: "Thai", english: "English",
  dry: "Preview changes", fromBrowser: "Send files from this browser", starting: "Starting",
  none: "No jobs yet", noneHint: "Documents that you ingest appear here.", job: "Job", when: "When", state: "State", progress: "Progress", documents: "Documents", kind: "Mode", dryRun: "preview", writes: "writes", owner: "Caller",
  states: { queued: "waiting", running: "running", done: "done", error: "failed" }, endings: { cancelled: "cancelled", rolled_back: "rolled back" },
  back: "All jobs", cancel: "Cancel the job", cancelling: "Cancelling", rollback: "Roll back", rollbackTitle: "Roll back this ingest?", rollbackWhy: "Everything that it wrote is removed from the graph.",
  apply: "Write these changes", applyTitle: "Write these changes?", applyWhy: "These changes go into the graph as unreviewed statements with their sources. You can roll them back.", yes: "Yes", no: "No",
  log: "Log", noLog: "Nothing yet", found: "Results", changes: "Changes", nothingNew: "Nothing new: already in the graph.", more: "More",
  counts: { nodes: "new entities", edges: "new statements", names: "new names", sources: "sources", conflicts: "conflicts", ambiguous: "ambiguous", unlinked: "unknown mentions", linked: "known mentions" },
  kinds: { source: "source", node: "entity", name: "name", edge: "statement", conflict: "conflict", ambiguous: "ambiguous", unlinked: "unknown" },
  change: "Change", what: "Kind", page: "Page", sure: "Confidence", document: "Document", pages: (many: number, scanned: number) => `${many} ${many === 1 ? "page" : "pages"}${scanned ? `, ${scanned} scanned` : ""}`, started: "Started", finished: "Finished", attempts: "Attempts",
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "งานเบื้องหลัง", lead: "งานที่ทำอยู่เบื้องหลัง คือเอกสารที่อ่านเข้าสู่กราฟสมุนไพร จะไม่เขียนสิ่งใดก่อนที่คุณจะเห็นว่าเปลี่ยนอะไร",
    ingest: "นำเข้าเอกสาร", path: "เอกสาร", pathHint: "บรรทัดละหนึ่งรายการ เป็นที่อยู่ file:// หรือเส้นทางภายใต้", language: "ภาษาของเนื้อหา", auto: "ดูจากเนื้อหา", thai: "ไทย", english: "อังกฤษ",
    fromBrowser: "ส่งแฟ้มจากเบราว์เซอร์นี้", dry: "แสดงสิ่งที่จะเปลี่ยน", starting: "กำลังเริ่ม",
    none: "ยังไม่มีงาน", noneHint: "เอกสารที่นำเข้าจะแสดงที่นี่", job: "งาน", when: "เวลา", state: "สถานะ", progress: "ความคืบหน้า", documents: "เอกสาร", kind: "ลักษณะ", dryRun: "แสดงเท่านั้น", writes: "เขียน", owner: "ผู้เรียก",
    states: { queued: "รอ", running: "กำลังทำ", done: "เสร็จ", error: "ไม่สำเร็จ" }, endings: { cancelled: "ยกเลิกแล้ว", rolled_back: "ย้อนกลับแล้ว" },
    back: "งานทั้งหมด", cancel: "ยกเลิกงาน", cancelling: "กำลังยกเลิก", rollback: "ย้อนกลับ", rollbackTitle: "ย้อนการนำเข้านี้หรือไม่", rollbackWhy: "ทุกสิ่งที่เขียนไว้จะถูกนำออกจากกราฟทั้งหมด",
    apply: "เขียนการเปลี่ยนแปลงนี้", applyTitle: "เขียนการเปลี่ยนแปลงนี้หรือไม่", applyWhy: "สิ่งที่เห็นจะเข้าสู่กราฟตามนี้ เป็นข้อความที่ยังไม่ได้ตรวจทานพร้อมแหล่งอ้างอิง และย้อนกลับได้ทั้งหมด", yes: "ใช่ ทำเลย", no: "ไม่",
    log: "บันทึก", noLog: "ยังไม่มี", found: "สิ่งที่เอกสารนำมา", changes: "การเปลี่ยนแปลง", nothingNew: "ไม่มีสิ่งใหม่ กราฟมีอยู่แล้ว", more: "เพิ่มเติม",
    counts: { nodes: "รายการใหม่", edges: "ข้อความใหม่", names: "ชื่อใหม่", sources: "แหล่งอ้างอิง", conflicts: "ข้อขัดแย้ง", ambiguous: "กำกวม", unlinked: "การกล่าวถึงที่ไม่รู้จัก", linked: "การกล่าวถึงที่รู้จัก" },
    kinds: { source: "แหล่งอ้างอิง", node: "รายการ", name: "ชื่อ", edge: "ข้อความ", conflict: "ขัดแย้ง", ambiguous: "กำกวม", unlinked: "ไม่รู้จัก" },
    change: "การเปลี่ยนแปลง", what: "ชนิด", page: "หน้า", sure: "มั่นใจ", document: "เอกสาร", pages: (many, scanned) => `${many} หน้า${scanned ? ` เป็นภาพสแกน ${scanned}` : ""}`, started: "เริ่ม", finished: "สิ้นสุด", attempts: "จำนวนครั้ง",
  },
};
