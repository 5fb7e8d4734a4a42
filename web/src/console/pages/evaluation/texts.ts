import type { Translations } from "../../language";

const en = {
  title: "Evaluation", lead: "Quality of search and answers on fixed question sets, run by run. The same data and code give the same figures.",
  run: "Run", smoke: "Smoke set", curated: "Curated set", custom: "Custom set", smokeHint: "a few questions, seconds", curatedHint: "all questions, minutes",
  running: "Running", stop: "Stop", stopped: "Stopped.", repeated: "Same result as an earlier run.",
  set: "Set", at: "When", questions: "Questions", revision: "Data revision", report: "Report", open: "Open the report",
  none: "No evaluations yet", noneHint: "Run the smoke set; it takes seconds.", runs: "Runs", back: "All evaluations", over: (name: string, runs: number) => `${name} over ${runs} runs`, since: "since the previous run",
  metrics: {
    "R@1": "recall in the top 1", "R@5": "recall in the top 5", "R@10": "recall in the top 10", MRR: "mean reciprocal rank", "nDCG@10": "ranking quality of the top 10",
    factuality: "correct sentences", answers_right: "correct answers", answered: "questions answered", gate_precision: "answers correctly withheld", ECE: "calibration error, lower is better",
  } as Record<string, string>,
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "การประเมิน", lead: "การค้นหาและคำตอบทำได้ดีเพียงใดกับชุดคำถามคงที่ ทีละรอบ ข้อมูลและโค้ดเดียวกันให้ตัวเลขเดียวกัน",
    run: "เริ่ม", smoke: "ชุดย่อ", curated: "ชุดคัดสรร", custom: "ชุดกำหนดเอง", smokeHint: "คำถามไม่กี่ข้อ ใช้เวลาไม่กี่วินาที", curatedHint: "คำถามทั้งหมด ใช้เวลาหลายนาที",
    running: "กำลังถามคำถาม", stop: "หยุด", stopped: "หยุดแล้ว", repeated: "เคยวัดแล้ว ได้ผลเท่าเดิม",
    set: "ชุด", at: "เวลา", questions: "คำถาม", revision: "รุ่นข้อมูล", report: "รายงาน", open: "เปิดรายงาน",
    none: "ยังไม่มีการประเมิน", noneHint: "ลองเริ่มชุดย่อ ใช้เวลาไม่กี่วินาที", runs: "รอบที่ผ่านมา", back: "การประเมินทั้งหมด", over: (name, runs) => `${name} ใน ${runs} รอบ`, since: "จากรอบก่อน",
    metrics: {
      "R@1": "พบเป็นอันดับแรก", "R@5": "พบใน 5 อันดับแรก", "R@10": "พบใน 10 อันดับแรก", MRR: "ค่าเฉลี่ยส่วนกลับอันดับ", "nDCG@10": "ลำดับของ 10 อันดับแรก",
      factuality: "ประโยคที่ถูกต้อง", answers_right: "คำตอบที่ถูก", answered: "คำถามที่ตอบ", gate_precision: "งดตอบอย่างถูกต้อง", ECE: "ความคลาดเคลื่อนของความมั่นใจ ยิ่งน้อยยิ่งดี",
    },
  },
};
