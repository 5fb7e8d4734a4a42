import type { Translations } from "../../language";

const en = {
  ownReads: "Show this console's own reads", ownReadsHint: "What these pages read while you look around is recorded as well, and left out here.",
  title: "Ledger", lead: "Every call, newest first. Rows are chained by hashes, so a changed row breaks the chain.",
  leadOwn: "Your calls, newest first. The whole ledger needs the scope audit:read.",
  tool: "Tool", suite: "Suite", status: "Status", caller: "Caller", since: "From", until: "To", any: "any", ok: "ok", error: "error",
  number: "No.", at: "When", surface: "Surface", took: "Time", clear: "Clear filters", none: "No calls match", noneHint: "Use fewer filters, or run a tool on the Tools page.",
  newer: "Newest", older: "Older", refresh: "Refresh",
  verify: "Verify the chain", verifyWhy: "Computes the hash of every row again, from the first to the last.", verifying: "Verifying", holds: "The chain is valid", broken: "The chain is broken", rows: (many: string) => `${many} rows checked`,
  lastHash: "Last hash", note: "Store this hash elsewhere: `sanya audit verify --expect HASH` then also detects a chain that was completely rewritten.",
  call: "Call", input: "Input as stored", redacted: "Secret parts were not stored.", intact: "The row matches its hash.", altered: "This row was altered: it does not match its hash.",
  replay: "Replay", replaying: "Replaying", same: "The answer is the same", differs: "The answer differs", gone: "The tool no longer exists", changed: "Changed since", nothing: "nothing",
  causes: { contract: "the contract", code: "the code", data: "the data", scopes: "the scopes" }, what: "Compared", then: "Then", now: "Now", answerNow: "Answer now", back: "Ledger",
  replayWhy: "Runs the call again with the same input and clock, and compares the hashes of both answers. It sees no more than you may see now, and it is recorded with your name.",
  parts: { in_hash: "Input", out_hash: "Answer", status: "Status", contract_hash: "Contract", code_hash: "Code", data_revision: "Data revision", scopes: "Scopes" },
  facts: { id: "Id", at: "When", tool: "Tool", suite: "Suite", effect: "Effect", surface: "Surface", caller: "Caller", asked_by: "Replay asked for by", scopes: "Scopes", request_id: "Request id", trace_id: "Trace id", latency_ms: "Time", status: "Status", fault: "Fault", error_id: "Error id", in_hash: "Input hash", out_hash: "Answer hash", contract_hash: "Contract hash", code_hash: "Code hash", data_revision: "Data revision", prev_hash: "Previous hash", row_hash: "Row hash" },
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    ownReads: "แสดงการอ่านของคอนโซลนี้เอง", ownReadsHint: "สิ่งที่หน้าเหล่านี้อ่านขณะคุณใช้งานก็ถูกบันทึก และซ่อนไว้ในรายการนี้",
    title: "บัญชีบันทึก", lead: "ทุกการเรียก ใหม่สุดก่อน แต่ละแถวผูกต่อกันด้วยแฮช ใครแก้แถวใดโซ่จะขาด",
    leadOwn: "การเรียกของคุณ ใหม่สุดก่อน หากจะดูทั้งหมดต้องมีสิทธิ์ audit:read",
    tool: "เครื่องมือ", suite: "ชุด", status: "สถานะ", caller: "ผู้เรียก", since: "ตั้งแต่", until: "ถึง", any: "ทั้งหมด", ok: "สำเร็จ", error: "ผิดพลาด",
    number: "ลำดับ", at: "เวลา", surface: "ช่องทาง", took: "ใช้เวลา", clear: "ล้างตัวกรอง", none: "ไม่มีการเรียกแบบนี้", noneHint: "ลองลดตัวกรอง หรือเรียกเครื่องมือในหน้าเครื่องมือ",
    newer: "ใหม่สุด", older: "เก่ากว่า", refresh: "โหลดใหม่",
    verify: "ตรวจสอบโซ่", verifyWhy: "คำนวณแฮชของทุกแถวใหม่ ตั้งแต่แถวแรกถึงแถวสุดท้าย", verifying: "กำลังตรวจสอบ", holds: "โซ่สมบูรณ์", broken: "โซ่ขาด", rows: (many) => `อ่านแล้ว ${many} แถว`,
    lastHash: "แฮชสุดท้าย", note: "จดแฮชนี้ไว้ที่อื่น แล้ว `sanya audit verify --expect HASH` จะพบแม้โซ่ถูกเขียนใหม่ทั้งหมด",
    call: "การเรียกหนึ่งครั้ง", input: "ข้อมูลเข้าที่เก็บไว้", redacted: "บางส่วนเป็นความลับและไม่ได้เก็บ", intact: "แถวนี้ตรงกับแฮช", altered: "แถวนี้ถูกแก้ไข เนื้อหาไม่ตรงกับแฮช",
    replay: "เรียกอีกครั้ง", replaying: "กำลังเรียกอีกครั้ง", same: "คำตอบเหมือนเดิม", differs: "คำตอบต่างไป", gone: "เครื่องมือนี้ไม่มีแล้ว", changed: "สิ่งที่เปลี่ยนไป", nothing: "ไม่มี",
    causes: { contract: "สัญญา", code: "โค้ด", data: "ข้อมูล", scopes: "สิทธิ์" }, what: "สิ่งที่เทียบ", then: "ตอนนั้น", now: "ตอนนี้", answerNow: "คำตอบตอนนี้", back: "บัญชีทั้งหมด",
    replayWhy: "เรียกด้วยข้อมูลเข้าเดิม ณ เวลาเดิม แล้วเทียบแฮชของคำตอบ โดยเห็นได้ไม่เกินสิทธิ์ของคุณตอนนี้ และบันทึกชื่อผู้ขอไว้ด้วย",
    parts: { in_hash: "ข้อมูลเข้า", out_hash: "คำตอบ", status: "สถานะ", contract_hash: "สัญญา", code_hash: "โค้ด", data_revision: "รุ่นข้อมูล", scopes: "สิทธิ์" },
    facts: { id: "รหัส", at: "เวลา", tool: "เครื่องมือ", suite: "ชุด", effect: "ผล", surface: "ช่องทาง", caller: "ผู้เรียก", asked_by: "ผู้ขอให้เรียกอีกครั้ง", scopes: "สิทธิ์", request_id: "รหัสคำขอ", trace_id: "รหัสติดตาม", latency_ms: "ใช้เวลา", status: "สถานะ", fault: "ข้อผิดพลาด", error_id: "รหัสข้อผิดพลาด", in_hash: "แฮชข้อมูลเข้า", out_hash: "แฮชคำตอบ", contract_hash: "แฮชสัญญา", code_hash: "แฮชโค้ด", data_revision: "รุ่นข้อมูล", prev_hash: "แฮชก่อนหน้า", row_hash: "แฮชของแถว" },
  },
};
