import type { Translations } from "../../language";

const en = {
  openPage: "Open its page", details: "Details",
  samples: "These are sample tasks, not your own. The first import, here or with `sanya tasks import`, removes them.", toImport: "Import your tasks",
  title: "Tasks", lead: "Weekly review and all tasks. Read-only: your own task program owns them.",
  view: "View", review: "Weekly review", list: "All tasks", week: "Week of", before: "Previous week", after: "Next week", thisWeek: "This week",
  completed: "Completed", created: "Created", pending: "Pending", overdue: "Overdue", carry: "Carried over", due: "Due this week, open",
  none: "None", byProject: "By project", noProject: "No project", upTo: "as of", more: "and {n} more", search: "Search", status: "Status", project: "Project", any: "Any",
  TODO: "To do", DOING: "Doing", DONE: "Done", ARCHIVED: "Archived", URGENT: "urgent", NORMAL: "normal", LOW: "low", important: "important", dueAt: "due", noDue: "no due date", changed: "changed", priority: "Priority",
  next: "More tasks", history: "History", notes: "Notes", created_at: "Created", recurs: "Repeats", nothing: "No task matches.", CREATED: "created", UPDATED: "changed", STATUS_CHANGED: "changed", from: "from", to: "to", nothingHere: "–", description: "Description", chart: "Completed, pending and overdue tasks of each project", late: (days: number) => (days === 1 ? "1 day late" : `${days} days late`), dueDate: "Due",
};

export const TASKS: Translations<typeof en> = {
  en,
  th: {
    openPage: "เปิดหน้างานนี้", details: "รายละเอียด",
    samples: "นี่คืองานตัวอย่าง ไม่ใช่งานของคุณ จะหายไปเมื่อนำเข้าครั้งแรก ที่หน้านี้หรือด้วย `sanya tasks import`", toImport: "นำเข้างานของคุณ",
    title: "งาน", lead: "ทบทวนประจำสัปดาห์และงานทั้งหมด อ่านอย่างเดียว โปรแกรมของคุณเป็นเจ้าของข้อมูล",
    view: "มุมมอง", review: "ทบทวนสัปดาห์", list: "งานทั้งหมด", week: "สัปดาห์ของ", before: "สัปดาห์ก่อน", after: "สัปดาห์ถัดไป", thisWeek: "สัปดาห์นี้",
    completed: "เสร็จแล้ว", created: "สร้างใหม่", pending: "รอทำ", overdue: "เลยกำหนด", carry: "ค้างจากก่อนหน้า", due: "ครบกำหนดสัปดาห์นี้ ยังเปิดอยู่",
    none: "ไม่มี", byProject: "ตามโครงการ", noProject: "ไม่มีโครงการ", upTo: "ถึง", more: "และอีก {n}", search: "ค้นหา", status: "สถานะ", project: "โครงการ", any: "ทั้งหมด",
    TODO: "จะทำ", DOING: "กำลังทำ", DONE: "เสร็จ", ARCHIVED: "เก็บแล้ว", URGENT: "ด่วน", NORMAL: "ปกติ", LOW: "ไม่รีบ", important: "สำคัญ", dueAt: "กำหนด", noDue: "ไม่มีกำหนด", changed: "แก้ไข", priority: "ความเร่งด่วน",
    next: "งานเพิ่มเติม", history: "ประวัติ", notes: "บันทึก", created_at: "สร้าง", recurs: "ทำซ้ำ", nothing: "ไม่มีงานที่ตรง", CREATED: "สร้าง", UPDATED: "แก้ไข", STATUS_CHANGED: "เปลี่ยน", from: "จาก", to: "เป็น", nothingHere: "–", description: "รายละเอียด", chart: "งานที่เสร็จ รอทำ และเลยกำหนดของแต่ละโครงการ", late: (days) => `ช้า ${days} วัน`, dueDate: "กำหนด",
  },
};

export type TaskTexts = typeof en;
