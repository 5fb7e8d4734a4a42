import type { Translations } from "../../language";

const en = {
  title: "Settings", lead: "Every setting with its meaning. Changes are checked, written to sanya.toml, recorded in the ledger, and take effect when the server starts again.",
  find: "Find a setting", changedOnly: "Only those that are set", all: "All", set: "Set", file: "File", value: "Value", default: "default", source: "from", change: "Change", check: "Check", save: "Save", cancel: "Cancel", hidden: "hidden",
  isSet: "is set", empty: "empty", running: "The running server uses", restart: "Restart the server to apply it, unless its command line or environment says otherwise.", fine: "This value is accepted.", saved: "Saved to sanya.toml", guarded: "Who or what the server reaches: change it with a key that has the scope *, or with", list: "Separate several values by commas.", none: "No setting fits", noneHint: "Try another word.",
  backup: "Backup", backupLead: "A backup copies everything into one file while the server runs. It holds secrets too, so it stays in a folder of the home; copy it to where only you can read it.", backUp: "Back up now", backingUp: "Backing up", folder: "Folder", noBackups: "No backup yet", restore: "Restore with `sanya restore FILE` into an empty home.",
  groups: { server: "Address and limits", access: "Who may call", mcp: "Tools on MCP", papers: "Papers", herbs: "Herbs and documents", memory: "Memory", tasks: "Tasks and time", funds: "Funds", search: "Search and vectors", storage: "Storage", logs: "Logs and receipts" },
};

export const SETTINGS: Translations<typeof en> = {
  en,
  th: {
    title: "การตั้งค่า", lead: "ทุกค่าพร้อมความหมาย การแก้ไขจะถูกตรวจ เขียนลง sanya.toml บันทึกในบัญชี และมีผลเมื่อเริ่มเซิร์ฟเวอร์ใหม่",
    find: "ค้นการตั้งค่า", changedOnly: "เฉพาะที่ตั้งไว้", all: "ทั้งหมด", set: "ที่ตั้งไว้", file: "แฟ้ม", value: "ค่า", default: "ค่าเริ่มต้น", source: "จาก", change: "แก้ไข", check: "ตรวจ", save: "บันทึก", cancel: "ยกเลิก", hidden: "ซ่อนไว้",
    isSet: "ตั้งไว้แล้ว", empty: "ว่าง", running: "เซิร์ฟเวอร์ที่ทำงานอยู่ใช้", restart: "เริ่มเซิร์ฟเวอร์ใหม่เพื่อให้มีผล เว้นแต่บรรทัดคำสั่งหรือสภาพแวดล้อมกำหนดไว้ต่างกัน", fine: "ค่านี้ใช้ได้", saved: "บันทึกลง sanya.toml แล้ว", guarded: "ค่านี้กำหนดว่าใครเข้าถึงหรือเซิร์ฟเวอร์ไปถึงไหน แก้ด้วยกุญแจที่มีสิทธิ์ * หรือด้วย", list: "คั่นหลายค่าด้วยจุลภาค", none: "ไม่มีการตั้งค่าที่ตรง", noneHint: "ลองคำอื่น",
    backup: "สำรองข้อมูล", backupLead: "สำรองทุกอย่างลงแฟ้มเดียวขณะเซิร์ฟเวอร์ทำงาน แฟ้มมีความลับด้วย จึงอยู่ในโฟลเดอร์ของโฮม คัดลอกไปไว้ที่ที่คุณอ่านได้คนเดียว", backUp: "สำรองตอนนี้", backingUp: "กำลังสำรอง", folder: "โฟลเดอร์", noBackups: "ยังไม่มีแฟ้มสำรอง", restore: "กู้คืนด้วย `sanya restore FILE` ลงโฮมว่าง",
    groups: { server: "ที่อยู่และขีดจำกัด", access: "ใครเรียกได้", mcp: "เครื่องมือบน MCP", papers: "งานวิจัย", herbs: "สมุนไพรและเอกสาร", memory: "ความจำ", tasks: "งานและเวลา", funds: "กองทุน", search: "การค้นหาและเวกเตอร์", storage: "ที่เก็บข้อมูล", logs: "บันทึกและใบรับ" },
  },
};
