import type { Translations } from "../../language";

const en = {
  graph: "People and things", graphLead: "What the memories are about. A line joins two that one memory names together.", entity: "Name", memories: "Memories", entityType: "Kind", together: "Together with", supersedes: "Replaces", supersededBy: "Replaced by",
  title: "Memory", lead: "What agents learned, from whom, how reliable it is, and what contradicts it.",
  box: "Recall", placeholder: "e.g. When does the pilot plant start?", go: "Recall", least: "At least", anyRating: "Any rating", limit: "At most",
  order: "Order", byTime: "By time", byFit: "By relevance", subjects: "Subjects", empty: "No memories about this.",
  found: "{n} of {total} found", happened: "happened", received: "recorded", unknownTime: "time unknown", axis: "Timeline of memories",
  A: "completely reliable", B: "usually reliable", C: "fairly reliable", D: "not usually reliable", E: "unreliable", F: "cannot be judged",
  d1: "confirmed", d2: "probably true", d3: "possibly true", d4: "doubtful", d5: "improbable", d6: "cannot be judged",
  source: "Source", content: "content", rating: "Rating", sources: "Sources", about: "About", causes: "Causes and effects", caused: "caused", caused_by: "caused by", fit: "Relevance",
  contradictions: "Contradictions", against: "contradicts", allContradictions: "All contradictions", contradictionsLead: "Memories that cannot both be true. An open one lowers the rating of both sides, until you correct one of them.",
  stateOf: "State", openOnes: "Open", settledOnes: "Settled", allOnes: "All", byReplacement: "a later memory replaced one side", byRetirement: "one side was split", byDecision: "decided", foundAt: "found", retired: "retired by a correction", openMemory: "Open",
  noneOpen: "No open contradictions", noneOpenHint: "Two memories that cannot both be true appear here soon after the second one is stored.", seeSettled: "{n} settled ones", toMemory: "Recall or add memories", noneSettled: "No settled contradictions", noneSettledHint: "A contradiction is settled when a later memory replaces one side, or when you split one. Merging both sides removes it.",
  noneYet: "No memories yet", noneYetHint: "Agents store them with send_memory; “Add a memory” stores one here.", drawing: "Drawing of people and things", noSource: "no source named", openCount: "Open contradictions to look at: {n}", newer: "Newer", older: "Older", pagesOf: "Pages of contradictions", pageOf: "Page {n} of {total}",
  temporal_impossibility: "impossible in time", factual_conflict: "conflicting facts", source_disagreement: "sources disagree", logical_inconsistency: "logically inconsistent",
  unresolved: "open", resolved: "settled", instruction: "reads like an instruction; stored as data", contested: "contested", notes: "Notes",
  correct: "Correct", correctTitle: "Correct a memory", action: "Action", contest: "Contest", annotate: "Add a note", merge_entities: "Merge with another memory", split_entity: "Split", reclassify: "Change the type",
  reason: "Reason", note: "Note", mergeWith: "The other memory", splitInto: "Parts, one per line", newType: "New type",
  preview: "Preview", apply: "Apply", applied: "Done.", undo: "Undo", undone: "Undone.", wouldChange: "This would change", changes: "What changed", nothingChanges: "No rating changes.",
  mergedInto: "“{text}” is merged into this memory, which keeps the better rating {rating}.", children: "{n} new memories, each rated {rating}; this one is retired.", noted: "The note is added; the rating does not change.", retyped: "Type: {from} → {to}",
  refused: "Refused", send: "Add a memory", sendTitle: "Add a memory", fact: "Fact or observation", kindOfSource: "Type of source", ref: "Document or URL", citation: "Page or section", reliability: "Reliability of the source", notSaid: "not set", agent: "Agent", save: "Save",
  saved: "Saved as {id} with the rating {rating}.", redacted: "Secrets removed: {what}.", undoHint: "Nothing is lost: every correction can be undone.", history: "Corrections on this page", more: "Details", precision: "known precision", undoing: "Undoing {action}", newest: "Newest", further: "{n} that fit less",
  terms: {} as Record<string, string>,
};

export const MEMORY: Translations<typeof en> = {
  en,
  th: {
    graph: "คนและสิ่งต่าง ๆ", graphLead: "สิ่งที่ความจำกล่าวถึง เส้นเชื่อมเมื่อความจำเดียวกล่าวถึงทั้งคู่", entity: "ชื่อ", memories: "ความจำ", entityType: "ชนิด", together: "กล่าวถึงพร้อมกับ", supersedes: "มาแทน", supersededBy: "ถูกแทนด้วย",
    title: "ความจำ", lead: "สิ่งที่เอเจนต์ได้รับรู้ ใครบอก เชื่อถือได้เพียงใด และมีอะไรแย้ง",
    box: "ระลึก", placeholder: "เช่น โรงงานต้นแบบเริ่มเดินเครื่องเมื่อไร", go: "ระลึก", least: "อย่างน้อย", anyRating: "ทุกระดับ", limit: "ไม่เกิน",
    order: "เรียง", byTime: "ตามเวลา", byFit: "ตามความตรง", subjects: "ความจำพูดถึง", empty: "ไม่มีความจำเรื่องนี้",
    found: "พบ {n} จาก {total}", happened: "เกิดขึ้น", received: "ได้รับรู้", unknownTime: "ไม่ทราบเวลา", axis: "ความจำบนเส้นเวลา",
    A: "น่าเชื่อถือที่สุด", B: "มักเชื่อถือได้", C: "ค่อนข้างเชื่อถือได้", D: "มักเชื่อถือไม่ได้", E: "เชื่อถือไม่ได้", F: "ยังตัดสินไม่ได้",
    d1: "ยืนยันแล้ว", d2: "น่าจะจริง", d3: "อาจจริง", d4: "น่าสงสัย", d5: "ไม่น่าจริง", d6: "ยังตัดสินไม่ได้",
    source: "แหล่งที่มา", content: "เนื้อหา", rating: "ระดับ", sources: "ที่มา", about: "เกี่ยวกับ", causes: "เหตุและผล", caused: "ทำให้เกิด", caused_by: "เกิดจาก", fit: "ความตรง",
    contradictions: "ข้อขัดแย้ง", against: "ขัดกับ", allContradictions: "ข้อขัดแย้งทั้งหมด", contradictionsLead: "ความจำที่เป็นจริงพร้อมกันไม่ได้ ข้อที่ยังเปิดอยู่ทำให้ระดับของทั้งสองฝ่ายลดลง จนกว่าคุณจะแก้ไขฝ่ายหนึ่ง",
    stateOf: "สถานะ", openOnes: "ยังเปิดอยู่", settledOnes: "ยุติแล้ว", allOnes: "ทั้งหมด", byReplacement: "ความจำใหม่มาแทนฝ่ายหนึ่ง", byRetirement: "ฝ่ายหนึ่งถูกแยก", byDecision: "ตัดสินแล้ว", foundAt: "พบ", retired: "พักไว้เพราะการแก้ไข", openMemory: "เปิดดู",
    noneOpen: "ไม่มีข้อขัดแย้งที่เปิดอยู่", noneOpenHint: "เมื่อมีความจำสองข้อที่เป็นจริงพร้อมกันไม่ได้ จะปรากฏที่นี่ไม่นานหลังบันทึกข้อที่สอง", seeSettled: "ที่ยุติแล้ว {n} ข้อ", toMemory: "ระลึกหรือเพิ่มความจำ", noneSettled: "ยังไม่มีข้อขัดแย้งที่ยุติ", noneSettledHint: "ข้อขัดแย้งยุติเมื่อความจำใหม่มาแทนฝ่ายหนึ่ง หรือเมื่อคุณแยกฝ่ายหนึ่ง ถ้ารวมทั้งสองฝ่ายเข้าด้วยกัน ข้อขัดแย้งจะหายไป",
    noneYet: "ยังไม่มีความจำ", noneYetHint: "เอเจนต์บันทึกด้วย send_memory หรือกด “เพิ่มความจำ” เพื่อบันทึกที่นี่", drawing: "ภาพของคนและสิ่งต่าง ๆ", noSource: "ไม่ได้ระบุแหล่งที่มา", openCount: "มีข้อขัดแย้งที่ควรดู {n} ข้อ", newer: "ใหม่กว่า", older: "เก่ากว่า", pagesOf: "หน้าของข้อขัดแย้ง", pageOf: "หน้า {n} จาก {total}",
    temporal_impossibility: "เวลาเป็นไปไม่ได้ทั้งคู่", factual_conflict: "กล่าวต่างกัน", source_disagreement: "แหล่งที่มาไม่ตรงกัน", logical_inconsistency: "อย่างหนึ่งทำให้อีกอย่างเป็นไปไม่ได้",
    unresolved: "ยังเปิดอยู่", resolved: "ยุติแล้ว", instruction: "อ่านเหมือนคำสั่ง: เก็บเป็นข้อมูลเท่านั้น", contested: "ถูกโต้แย้ง", notes: "หมายเหตุ",
    correct: "แก้ไข", correctTitle: "แก้ไขความจำ", action: "ทำอะไร", contest: "โต้แย้ง", annotate: "เพิ่มหมายเหตุ", merge_entities: "รวมกับอีกอัน", split_entity: "แยก", reclassify: "เปลี่ยนชนิด",
    reason: "เหตุที่สงสัย", note: "หมายเหตุ", mergeWith: "ความจำอีกอัน", splitInto: "ส่วนย่อย บรรทัดละหนึ่งส่วน", newType: "ชนิดใหม่",
    preview: "ดูผลก่อน", apply: "ใช้จริง", applied: "เรียบร้อย", undo: "ย้อนกลับ", undone: "ย้อนกลับแล้ว", wouldChange: "สิ่งที่จะเปลี่ยน", changes: "สิ่งที่เปลี่ยน", nothingChanges: "ไม่มีระดับใดเปลี่ยน",
    mergedInto: "“{text}” จะรวมเข้ากับอันนี้ และใช้ระดับที่ดีกว่า {rating}", children: "ได้ความจำใหม่ {n} อัน ระดับ {rating} ส่วนอันนี้จะพักไว้", noted: "เพิ่มหมายเหตุ ระดับคงเดิม", retyped: "ชนิด: {from} → {to}",
    refused: "ไม่ได้ทำ", send: "เพิ่มความจำ", sendTitle: "จำสิ่งนี้", fact: "ข้อเท็จจริงหรือสิ่งที่สังเกต", kindOfSource: "ชนิดของแหล่ง", ref: "เอกสารหรือที่อยู่", citation: "ตำแหน่งในนั้น", reliability: "ความน่าเชื่อถือของแหล่ง", notSaid: "ไม่ระบุ", agent: "ใครบอก", save: "จำไว้",
    saved: "จำไว้เป็น {id} ระดับ {rating}", redacted: "ตัดออกเพราะเป็นความลับ: {what}", undoHint: "ไม่มีอะไรหาย ทุกการแก้ไขย้อนกลับได้", history: "การแก้ไขในหน้านี้", more: "รายละเอียด", precision: "ละเอียดเท่าที่ทราบ", undoing: "ย้อนกลับ {action}", newest: "ล่าสุด", further: "อีก {n} รายการที่ตรงน้อยกว่า",
    terms: {
      person: "บุคคล", organisation: "องค์กร", place: "สถานที่", thing: "สิ่งของ", agent: "เอเจนต์", event: "เหตุการณ์",
      subject: "ผู้กระทำ", object: "สิ่งที่ถูกกล่าวถึง", speaker: "ผู้พูด", traveller: "ผู้เดินทาง", attendee: "ผู้เข้าร่วม", author: "ผู้เขียน", owner: "เจ้าของ", origin: "ต้นทาง", destination: "ปลายทาง", location: "ที่ตั้ง",
      fact: "ข้อเท็จจริง", observation: "สิ่งที่สังเกต", preference: "ความชอบ", decision: "การตัดสินใจ", task: "งาน", opinion: "ความเห็น", plan: "แผน",
      minutes: "รายงานการประชุม", letter: "จดหมาย", news: "ข่าว", email: "อีเมล", chat: "การสนทนา", document: "เอกสาร", report: "รายงาน", book: "หนังสือ", web: "เว็บ", wiki: "วิกิ", contract: "สัญญา", article: "บทความ", paper: "งานวิจัย", note: "บันทึก", user: "ผู้ใช้", "named in the text": "กล่าวถึงในข้อความ",
    },
  },
};

export type MemoryTexts = typeof en;

/** Names a kind, a role or a type of source; words that callers made up stay as they are. */
export function nameTerm(term: string, texts: MemoryTexts): string {
  return texts.terms[term.toLowerCase()] ?? term;
}
