import type { Translations } from "../../language";

const en = {
  title: "Tools", lead: "Every tool with its contract. Fill in the form, run the tool, and copy the call as code.",
  find: "Find a tool", findHint: "name or description", suite: "Suite", all: "All", none: "No tool matches.", hidden: (many: number) => `${many} more tools need scopes that you do not have.`,
  barred: "Your key may not call this tool.", needed: "It needs a key with the scope",
  back: "All tools", choose: "Select a tool to see its contract and run it.", read: "reads", write: "writes",
  contract: "Contract", takes: "Input", answers: "Output", errors: "Errors", scopes: "Scopes", time: "Time limit", also: "Portable name",
  field: "Field", kind: "Type", bounds: "Constraints", means: "Description", required: "required",
  run: "Run", running: "Running", stop: "Stop", form: "Form", json: "JSON", view: "View", arguments: "Arguments", examples: "Examples", reset: "Clear",
  badJson: "Not valid JSON.", badObject: "Arguments must be a JSON object.", notGiven: "not set", usually: "default:", oneALine: "one per line", remove: "Remove", add: "Add",
  confirm: "Run a tool that writes?", confirmWhy: "It changes data on this server. The call and its answer are recorded in the ledger.", doIt: "Yes, run it", cancel: "Cancel",
  answer: "Answer", tree: "Tree", table: "Table", raw: "Raw", stamp: "Stamp", took: "on the server", there: "round trip", inLedger: "In the ledger", stopped: "Stopped.",
  takeAway: "Copy as", curl: "curl", python: "Python", mcp: "MCP JSON", replayed: "stored answer", boundWords: { letters: "chars", items: "items", usually: "default" },
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "เครื่องมือ", lead: "เครื่องมือทุกตัวพร้อมสัญญาของมัน กรอกแบบฟอร์ม เรียกใช้ แล้วนำไปใช้เป็นโค้ดได้",
    find: "ค้นหาเครื่องมือ", findHint: "ชื่อหรือคำ", suite: "ชุด", all: "ทั้งหมด", none: "ไม่มีเครื่องมือชื่อนี้", hidden: (many) => `อีก ${many} ตัวต้องใช้สิทธิ์อื่น`,
    barred: "กุญแจของคุณเรียกเครื่องมือนี้ไม่ได้", needed: "ต้องใช้กุญแจที่มีสิทธิ์",
    back: "เครื่องมือทั้งหมด", choose: "เลือกเครื่องมือเพื่อดูสัญญาและเรียกใช้", read: "อ่าน", write: "เขียน",
    contract: "สัญญา", takes: "รับ", answers: "ตอบ", errors: "ข้อผิดพลาด", scopes: "สิทธิ์", time: "เวลาสูงสุด", also: "อีกชื่อหนึ่ง",
    field: "ช่อง", kind: "ชนิด", bounds: "ขอบเขต", means: "ความหมาย", required: "จำเป็น",
    run: "เรียกใช้", running: "กำลังทำงาน", stop: "หยุด", form: "แบบฟอร์ม", json: "JSON", view: "มุมมอง", arguments: "อาร์กิวเมนต์", examples: "ตัวอย่าง", reset: "ล้าง",
    badJson: "ยังไม่ใช่ JSON", badObject: "อาร์กิวเมนต์ต้องเป็นออบเจกต์ JSON", notGiven: "ไม่ระบุ", usually: "ค่าปริยาย:", oneALine: "บรรทัดละหนึ่งค่า", remove: "ลบ", add: "เพิ่ม",
    confirm: "เรียกเครื่องมือที่เขียนข้อมูลหรือไม่", confirmWhy: "จะเปลี่ยนข้อมูลที่เซิร์ฟเวอร์เก็บไว้ การเรียกและคำตอบจะถูกบันทึกในบัญชี", doIt: "ใช่ เรียกใช้", cancel: "ยกเลิก",
    answer: "คำตอบ", tree: "ต้นไม้", table: "ตาราง", raw: "ดิบ", stamp: "ตราประทับ", took: "บนเซิร์ฟเวอร์", there: "ไปกลับ", inLedger: "ในบัญชีบันทึก", stopped: "หยุดแล้ว",
    takeAway: "คัดลอกเป็น", curl: "curl", python: "Python", mcp: "MCP JSON", replayed: "เคยตอบแล้ว", boundWords: { letters: "ตัวอักษร", items: "รายการ", usually: "ค่าปริยาย" },
  },
};
