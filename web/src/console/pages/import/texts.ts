import type { Translations } from "../../language";

const en = {
  title: "Import", lead: "Bring your own files in. You see what would change before anything is written.",
  kind: "What is it?", kinds: { documents: "Herb documents", papers: "Papers", funds: "Funds", tasks: "Tasks" },
  hints: {
    documents: "PDF, Word, HTML, text or pictures. They are read into the herb graph; a job lists every change first.",
    papers: "PubMed files (.xml or .xml.gz), as the baseline and update files are.",
    funds: "Fund JSON files, several at once, or a consolidated CSV.",
    tasks: "todo.txt, Markdown lists, iCalendar, CSV, Taskwarrior, Todoist or Things.",
  },
  dropHere: "Drop files here", or: "or", choose: "Choose files", language: "Language of the text", auto: "detect", thai: "Thai", english: "English",
  sending: "Sending", reading: "Reading", writing: "Writing", ready: "Nothing is written yet", done: "Written", failed: "Not imported", dropped: "Dropped",
  preview: "What would change", report: "What changed", write: "Write it", writeNothing: "Nothing to write", drop: "Discard", again: "Import something else", file: "File", format: "Format", refused: "Not imported", notices: "Repaired or left out", place: "Place", files: (count: string) => `${count} files`, text: "As it stands there", reason: "Reason", first: "First titles", open: "Open",
  stop: "Stop",
  counts: {
    created: "new", updated: "changed", unchanged: "unchanged", projects_created: "new projects", samples_removed: "samples removed", rejected_count: "refused", older: "older than stored", points_added: "new prices", points_corrected: "corrected prices",
    demo_removed: "demo funds removed", classes_kept: "finer classes kept", gone: "no longer offered", repaired: "repairs", inserted: "new", known: "known already", deleted: "withdrawn", skipped: "unchanged",
  },
};

export const IMPORT: Translations<typeof en> = {
  en,
  th: {
    title: "นำเข้า", lead: "นำแฟ้มของคุณเข้ามา คุณจะเห็นสิ่งที่จะเปลี่ยนก่อนบันทึกเสมอ",
    kind: "ข้อมูลอะไร", kinds: { documents: "เอกสารสมุนไพร", papers: "งานวิจัย", funds: "กองทุน", tasks: "งาน" },
    hints: {
      documents: "PDF, Word, HTML, ข้อความ หรือภาพ ระบบอ่านเข้ากราฟสมุนไพร และแสดงทุกการเปลี่ยนแปลงก่อน",
      papers: "แฟ้ม PubMed (.xml หรือ .xml.gz) แบบแฟ้มหลักและแฟ้มปรับปรุง",
      funds: "แฟ้มกองทุน JSON หลายแฟ้มพร้อมกัน หรือ CSV รวม",
      tasks: "todo.txt, รายการ Markdown, iCalendar, CSV, Taskwarrior, Todoist หรือ Things",
    },
    dropHere: "วางแฟ้มที่นี่", or: "หรือ", choose: "เลือกแฟ้ม", language: "ภาษาของเนื้อหา", auto: "ดูจากเนื้อหา", thai: "ไทย", english: "อังกฤษ",
    sending: "กำลังส่ง", reading: "กำลังอ่าน", writing: "กำลังบันทึก", ready: "ยังไม่ได้บันทึกอะไร", done: "บันทึกแล้ว", failed: "ไม่ได้นำเข้า", dropped: "ทิ้งแล้ว",
    preview: "สิ่งที่จะเปลี่ยน", report: "สิ่งที่เปลี่ยนแล้ว", write: "บันทึก", writeNothing: "ไม่มีอะไรต้องบันทึก", drop: "ทิ้ง", again: "นำเข้าอย่างอื่น", file: "แฟ้ม", format: "รูปแบบ", refused: "ไม่ได้นำเข้า", notices: "ซ่อมหรือเว้นไว้", place: "ตำแหน่ง", files: (count) => `${count} แฟ้ม`, text: "ข้อความในแฟ้ม", reason: "เหตุผล", first: "ชื่อเรื่องแรก ๆ", open: "เปิด",
    stop: "หยุด",
    counts: {
      created: "ใหม่", updated: "เปลี่ยน", unchanged: "เหมือนเดิม", projects_created: "โครงการใหม่", samples_removed: "ตัวอย่างที่เอาออก", rejected_count: "ไม่รับ", older: "เก่ากว่าที่มี", points_added: "ราคาใหม่", points_corrected: "ราคาที่แก้",
      demo_removed: "กองทุนตัวอย่างที่เอาออก", classes_kept: "ประเภทละเอียดที่คงไว้", gone: "เลิกเสนอขาย", repaired: "ซ่อม", inserted: "ใหม่", known: "มีอยู่แล้ว", deleted: "ถูกถอน", skipped: "เหมือนเดิม",
    },
  },
};
