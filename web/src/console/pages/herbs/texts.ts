import type { Translations } from "../../language";

const en = {
  print: "Print one page", pair: "Pair", severity: "Severity",
  title: "Herbs", lead: "The knowledge graph of Thai herbal medicine: explore it, read details, check the safety of a combination.",
  graph: "Graph", safety: "Safety check", view: "View", start: "Start from", startHint: "A name in Thai or English", show: "Show", kind: "Kind",
  herb: "Herb", constituent: "Constituent", indication: "Use", formulation: "Formulation", drug: "Drug", condition: "Condition", paper: "Study", chunk: "Passage",
  contains: "contains", treats: "used for", acts_on: "acts on", part_of: "part of", contraindicated_in: "contraindicated in", interacts_with: "interacts with drug", mentioned_in: "mentioned in",
  edges: "Edge types", zoomIn: "Zoom in", zoomOut: "Zoom out", fit: "Show all", drawn: "The graph around {name}: {nodes} nodes, {links} edges. The list of neighbours has the same content.",
  neighbours: "Neighbours of {name}", expand: "Expand", centre: "Centre on this node", expanded: "expanded", hidden: "{n} more are hidden by the filter above.", tooMany: "Only the first {n} edges are shown.",
  card: "Card", names: "Names", latin: "Latin name", parts: "Parts used", constituents: "Contains", uses: "Used for", inFormulas: "In formulations", papers: "Studies", sources: "Sources", ingredients: "Ingredients", statements: "Statements",
  warnings: "Warnings", noWarnings: "No warning is recorded. This does not mean it is safe.", more: "Show all {n}", evidence: "Evidence", basis: "basis:", via: "via", statedFor: "stated for",
  high: "high", moderate: "moderate", low: "low", strength: "strength",
  reviewed: "reviewed", needs_review: "needs review", unreviewed: "not reviewed",
  check: "Check", checkLead: "Enter what is taken. Warnings are listed strongest first, and gaps in the data are shown.",
  herbsField: "Herbs", formulationsField: "Formulations", drugsField: "Drugs taken", conditionsField: "Conditions", anyName: "Names in Thai or English, or ids", leaveOut: "Leave empty to see all warnings", remove: "Remove",
  needOne: "Enter at least one herb or formulation.", results: "{n} warnings", noResults: "No recorded warning matches", noResultsHint: "This does not mean it is safe: data may be missing. Ask a pharmacist or a doctor.",
  coverage: "Data coverage", c_recorded: "{n} warnings recorded", c_inherited_only: "only warnings of its ingredients: {n}", c_none: "nothing recorded: safety unknown",
  silent: "Ingredients without data", unidentified: "Ingredients not identified",
  unresolved: "Not understood", meant: "Did you mean", matched: "because of", asked: "requested",
  pairs: "Each pair", inSentences: "In sentences", notNarrowed: "Shown because a name was not understood",
  s_contraindicated: "contraindicated", s_major: "major", s_moderate: "moderate", s_minor: "minor", v_warned: "warning", v_no_warning_recorded: "no warning recorded – not known to be safe", v_not_checked: "not checked",
  effect: "What may happen", management: "What to do", evidenceKind: "Kind of evidence", noAddress: "no address", moreSources: "More sources ({n})", firstOnly: "Only the first {n} of {total} warnings are shown.",
  k_official: "official", k_trial: "clinical trial", k_pharmacokinetic: "pharmacokinetic study", k_observational: "observational study", k_case_reports: "case reports", k_animal: "animal study", k_in_vitro: "in vitro", k_theoretical: "theoretical",
  about: "Warnings about", drugs: "drugs", conditions: "conditions", tryThese: "Try", pregnancy: "pregnancy", notice: "Notice", icd: "ICD-10",
};

export const HERBS: Translations<typeof en> = {
  en,
  th: {
    print: "พิมพ์หนึ่งหน้า", pair: "คู่", severity: "ความรุนแรง",
    title: "สมุนไพร", lead: "กราฟความรู้ยาไทย: เดินดูความสัมพันธ์ อ่านข้อมูล และตรวจข้อควรระวังเมื่อใช้ร่วมกัน",
    graph: "กราฟ", safety: "ตรวจความปลอดภัย", view: "มุมมอง", start: "เริ่มจาก", startHint: "ชื่อไทยหรืออังกฤษ", show: "แสดง", kind: "ชนิด",
    herb: "สมุนไพร", constituent: "สารสำคัญ", indication: "สรรพคุณ", formulation: "ตำรับ", drug: "ยา", condition: "ภาวะ/โรค", paper: "งานวิจัย", chunk: "ข้อความ",
    contains: "มีสาร", treats: "ใช้กับ", acts_on: "ออกฤทธิ์ต่อ", part_of: "เป็นส่วนของ", contraindicated_in: "ห้าม/ระวังในภาวะ", interacts_with: "ตีกับยา", mentioned_in: "กล่าวถึงใน",
    edges: "ชนิดความสัมพันธ์", zoomIn: "ขยาย", zoomOut: "ย่อ", fit: "แสดงทั้งหมด", drawn: "กราฟรอบ {name}: {nodes} จุด {links} เส้น รายการข้าง ๆ มีข้อมูลเดียวกัน",
    neighbours: "สิ่งที่เชื่อมกับ {name}", expand: "ไปต่อจากนี้", centre: "ให้เป็นศูนย์กลาง", expanded: "เปิดแล้ว", hidden: "ซ่อนอยู่อีก {n} รายการตามชนิดข้างบน", tooMany: "แสดงเพียง {n} เส้นแรก",
    card: "ข้อมูล", names: "ชื่อ", latin: "ชื่อวิทยาศาสตร์", parts: "ส่วนที่ใช้", constituents: "สารสำคัญ", uses: "ใช้กับ", inFormulas: "อยู่ในตำรับ", papers: "งานวิจัย", sources: "แหล่งข้อมูล", ingredients: "ส่วนประกอบ", statements: "ข้อมูลที่กล่าวถึง",
    warnings: "ข้อควรระวัง", noWarnings: "ไม่มีข้อควรระวังที่บันทึกไว้ แต่ไม่ได้แปลว่าปลอดภัย", more: "แสดงทั้งหมด {n}", evidence: "หลักฐาน", basis: "เกณฑ์:", via: "ผ่าน", statedFor: "กล่าวถึง",
    high: "สูง", moderate: "ปานกลาง", low: "ต่ำ", strength: "ระดับ",
    reviewed: "ตรวจทานแล้ว", needs_review: "ต้องตรวจทาน", unreviewed: "ยังไม่ตรวจทาน",
    check: "ตรวจ", checkLead: "ระบุสิ่งที่ใช้อยู่ ข้อควรระวังเรียงจากหนักที่สุด และบอกสิ่งที่ยังไม่รู้ด้วย",
    herbsField: "สมุนไพร", formulationsField: "ตำรับ", drugsField: "ยาที่ใช้", conditionsField: "ภาวะหรือโรค", anyName: "ชื่อไทยหรืออังกฤษ หรือรหัส", leaveOut: "เว้นว่างเพื่อดูข้อควรระวังทั้งหมด", remove: "เอาออก",
    needOne: "ระบุสมุนไพรหรือตำรับอย่างน้อยหนึ่งอย่าง", results: "ข้อควรระวัง {n} รายการ", noResults: "ไม่พบข้อควรระวังที่ตรงกัน", noResultsHint: "ไม่ได้แปลว่าปลอดภัย อาจยังไม่มีข้อมูลบันทึก โปรดปรึกษาเภสัชกรหรือแพทย์",
    coverage: "ที่มีข้อมูลอยู่", c_recorded: "บันทึกข้อควรระวัง {n} รายการ", c_inherited_only: "มีเฉพาะจากส่วนประกอบ {n} รายการ", c_none: "ไม่มีข้อมูล: ไม่ทราบว่าปลอดภัยหรือไม่",
    silent: "ส่วนประกอบที่ไม่มีข้อมูล", unidentified: "ส่วนประกอบที่ระบุชนิดไม่ได้",
    unresolved: "ชื่อที่ไม่เข้าใจ", meant: "อาจหมายถึง", matched: "เพราะ", asked: "ที่ถาม",
    pairs: "ทีละคู่", inSentences: "อ่านเป็นประโยค", notNarrowed: "แสดงเพราะมีชื่อที่ไม่รู้จัก",
    s_contraindicated: "ห้ามใช้", s_major: "รุนแรง", s_moderate: "ปานกลาง", s_minor: "เล็กน้อย", v_warned: "มีคำเตือน", v_no_warning_recorded: "ไม่พบคำเตือน – ไม่ได้แปลว่าปลอดภัย", v_not_checked: "ยังไม่ได้ตรวจ",
    effect: "อาจเกิดอะไร", management: "ควรทำอย่างไร", evidenceKind: "ชนิดหลักฐาน", noAddress: "ไม่มีลิงก์", moreSources: "แหล่งข้อมูลอีก {n} แหล่ง", firstOnly: "แสดงเพียง {n} รายการแรกจาก {total} รายการ",
    k_official: "ประกาศทางการ", k_trial: "การทดลองทางคลินิก", k_pharmacokinetic: "การศึกษาเภสัชจลนศาสตร์", k_observational: "การศึกษาเชิงสังเกต", k_case_reports: "รายงานผู้ป่วย", k_animal: "การศึกษาในสัตว์", k_in_vitro: "หลอดทดลอง", k_theoretical: "ตามทฤษฎี",
    about: "ข้อควรระวังเรื่อง", drugs: "ยา", conditions: "ภาวะ", tryThese: "ลอง", pregnancy: "หญิงตั้งครรภ์", notice: "หมายเหตุ", icd: "ICD-10",
  },
};

export type HerbTexts = typeof en;

/** Parts of plants as the graph names them, in English. */
export const PLANT_PARTS: Translations<Record<string, string>> = {
  en: {},
  th: {
    leaf: "ใบ", fruit: "ผล", root: "ราก", rhizome: "เหง้า", seed: "เมล็ด", bark: "เปลือกต้น", flower: "ดอก", heartwood: "แก่น", stem: "ลำต้น", "whole plant": "ทั้งต้น", "aerial part": "ส่วนเหนือดิน", "fruit peel": "เปลือกผล",
    tuber: "หัวใต้ดิน", "fruiting body": "ดอกเห็ด", gall: "ปุ่มหูด", bulb: "หัว", "all parts": "ทุกส่วน", "gum-resin": "ยางไม้", "fruit rind": "เปลือกผล", mineral: "แร่", stamen: "เกสร", "fruit juice": "น้ำจากผล", aril: "เยื่อหุ้มเมล็ด",
    wood: "เนื้อไม้", infructescence: "ช่อผล", resin: "ชัน", "root and leaf": "รากและใบ", "oleo-gum-resin": "ยางไม้ที่มีน้ำมัน", pod: "ฝัก", "pod pulp": "เนื้อในฝัก", inflorescence: "ช่อดอก", charcoal: "ถ่าน", "leaf gel": "วุ้นจากใบ",
    calyx: "กลีบเลี้ยง", "leaf exudate": "น้ำยางจากใบ", mycelium: "เส้นใย", spore: "สปอร์", "root bark": "เปลือกราก", sap: "น้ำยาง",
  },
};
