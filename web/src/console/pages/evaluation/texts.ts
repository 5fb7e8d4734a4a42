import type { Translations } from "../../language";

const en = {
  title: "Evaluation", lead: "Quality of search and answers on fixed question sets, run by run. The same data and code give the same figures.",
  run: "Run", smoke: "Smoke set", curated: "Curated set", custom: "Custom set", smokeHint: "a few questions, seconds", curatedHint: "all questions, minutes",
  running: "Running", stop: "Stop", stopped: "Stopped.", repeated: "Same result as an earlier run.",
  set: "Set", at: "When", questions: "Questions", revision: "Data revision", report: "Report", open: "Open the report", saveParts: "Save tables and charts of this report",
  none: "No evaluations yet", noneHint: "Run the smoke set; it takes seconds.", runs: "Runs", back: "All evaluations", over: (name: string, runs: number) => `${name} over ${runs} runs`, since: "since the previous run",
  overRuns: "Over the runs",
  metrics: {
    "R@1": { title: "R@1", hint: "recall in the top 1" }, "R@5": { title: "R@5", hint: "recall in the top 5" }, "R@10": { title: "R@10", hint: "recall in the top 10" },
    MRR: { title: "MRR", hint: "mean reciprocal rank" }, "nDCG@10": { title: "nDCG@10", hint: "ranking quality of the top 10" },
    factuality: { title: "Factuality", hint: "correct sentences" }, answers_right: { title: "Right answers", hint: "correct answers" }, answered: { title: "Answered", hint: "questions answered" },
    gate_precision: { title: "Gate precision", hint: "answers correctly withheld" }, ECE: { title: "ECE", hint: "calibration error, lower is better" },
  } as Record<string, { title: string; hint: string }>,
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "การประเมิน", lead: "การค้นหาและคำตอบทำได้ดีเพียงใดกับชุดคำถามคงที่ ทีละรอบ ข้อมูลและโค้ดเดียวกันให้ตัวเลขเดียวกัน",
    run: "เริ่ม", smoke: "ชุดย่อ", curated: "ชุดคัดสรร", custom: "ชุดกำหนดเอง", smokeHint: "คำถามไม่กี่ข้อ ใช้เวลาไม่กี่วินาที", curatedHint: "คำถามทั้งหมด ใช้เวลาหลายนาที",
    running: "กำลังถามคำถาม", stop: "หยุด", stopped: "หยุดแล้ว", repeated: "เคยวัดแล้ว ได้ผลเท่าเดิม",
    set: "ชุด", at: "เวลา", questions: "คำถาม", revision: "รุ่นข้อมูล", report: "รายงาน", open: "เปิดรายงาน", saveParts: "บันทึกตารางและแผนภูมิของรายงานนี้",
    none: "ยังไม่มีการประเมิน", noneHint: "ลองเริ่มชุดย่อ ใช้เวลาไม่กี่วินาที", runs: "รอบที่ผ่านมา", back: "การประเมินทั้งหมด", over: (name, runs) => `${name} ใน ${runs} รอบ`, since: "จากรอบก่อน",
    overRuns: "ทีละรอบ",
    metrics: {
      "R@1": { title: "R@1", hint: "พบเป็นอันดับแรก" }, "R@5": { title: "R@5", hint: "พบใน 5 อันดับแรก" }, "R@10": { title: "R@10", hint: "พบใน 10 อันดับแรก" },
      MRR: { title: "MRR", hint: "ค่าเฉลี่ยส่วนกลับอันดับ" }, "nDCG@10": { title: "nDCG@10", hint: "ลำดับของ 10 อันดับแรก" },
      factuality: { title: "ความถูกต้อง", hint: "ประโยคที่ถูกต้อง" }, answers_right: { title: "ตอบถูก", hint: "คำตอบที่ถูก" }, answered: { title: "ตอบ", hint: "คำถามที่ตอบ" },
      gate_precision: { title: "งดตอบ", hint: "งดตอบอย่างถูกต้อง" }, ECE: { title: "ECE", hint: "ความคลาดเคลื่อนของความมั่นใจ ยิ่งน้อยยิ่งดี" },
    },
  },
};
