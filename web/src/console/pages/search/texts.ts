import type { Translations } from "../../language";

const en = {
  title: "Search", lead: "Search herbs and papers by keywords and by meaning, in Thai and English.",
  box: "Search herbs and papers", placeholder: "e.g. turmeric for bloating, or ฟ้าทะลายโจร ไข้หวัด", go: "Search",
  where: "Where", all: "Everything", herbs: "Herbs", papers: "Papers", filters: "Filters and weights",
  lang: "Language", auto: "Language of the query", th: "Thai", en: "English", kind: "Type of result", any: "Any",
  herb: "Herb", formulation: "Formulation", paper: "Study in the graph", chunk: "Passage",
  from: "From year", to: "To year", journal: "Journal", mode: "Search papers by", hybrid: "Keywords and meaning", semantic: "Meaning", bm25: "Keywords",
  alpha: "Weight of meaning", quality: "Rank better studies higher", study: "Study type",
  score: "Score", p_words: "keywords", p_meaning: "meaning", p_graph: "graph", p_section: "section", p_quality: "quality", p_recency: "recency", p_retraction: "retraction",
  nothing: "Nothing found", nothingHint: "Try other keywords or fewer filters.", askFirst: "What are you looking for?",
  sample: "sample, not a real study", retracted: "retracted", found: "found", qualityOf: "quality {n} of 9", more: "Full abstract", less: "Best passages only",
  ambiguous: "“{name}” may mean:", open: "Show in the graph", details: "Paper", published: "Published", entered: "In PubMed since", version: "Version", onPubMed: "View on PubMed",
  clear: "Clear filters", try: "Try", source: "Source", took: "in {time}",
};

export const SEARCH: Translations<typeof en> = {
  en,
  th: {
    title: "ค้นหา", lead: "ช่องเดียวค้นได้ทั้งสมุนไพรและงานวิจัย ทั้งตามคำและตามความหมาย ภาษาไทยและอังกฤษ",
    box: "ค้นหาสมุนไพรและงานวิจัย", placeholder: "เช่น ขมิ้นชัน แก้ท้องอืด หรือ andrographis common cold", go: "ค้นหา",
    where: "ค้นใน", all: "ทั้งหมด", herbs: "สมุนไพร", papers: "งานวิจัย", filters: "ตัวกรองและน้ำหนัก",
    lang: "ภาษา", auto: "ตามคำถาม", th: "ไทย", en: "อังกฤษ", kind: "ชนิดของผลลัพธ์", any: "ทั้งหมด",
    herb: "สมุนไพร", formulation: "ตำรับ", paper: "งานวิจัยในกราฟ", chunk: "ข้อความ",
    from: "ตั้งแต่ปี (ค.ศ.)", to: "ถึงปี (ค.ศ.)", journal: "วารสาร", mode: "ค้นงานวิจัยด้วย", hybrid: "คำและความหมาย", semantic: "ความหมาย", bm25: "คำ",
    alpha: "น้ำหนักของความหมาย", quality: "ให้งานคุณภาพสูงอยู่ก่อน", study: "ชนิดการศึกษา",
    score: "คะแนน", p_words: "คำ", p_meaning: "ความหมาย", p_graph: "กราฟ", p_section: "ส่วนของบทคัดย่อ", p_quality: "คุณภาพ", p_recency: "ความใหม่", p_retraction: "ถูกถอน",
    nothing: "ไม่พบ", nothingHint: "ลองใช้คำอื่น หรือลดตัวกรอง", askFirst: "กำลังหาอะไรอยู่",
    sample: "ตัวอย่าง ไม่ใช่งานวิจัยจริง", retracted: "ถูกถอน", found: "พบ", qualityOf: "คุณภาพ {n} จาก 9", more: "บทคัดย่อทั้งหมด", less: "เฉพาะข้อความที่ตรงที่สุด",
    ambiguous: "“{name}” อาจหมายถึง:", open: "ดูในกราฟ", details: "งานวิจัย", published: "ตีพิมพ์", entered: "เข้า PubMed เมื่อ", version: "ฉบับ", onPubMed: "ดูใน PubMed",
    clear: "ล้างตัวกรอง", try: "ลอง", source: "ที่มา", took: "ใน {time}",
  },
};

export type SearchTexts = typeof en;
