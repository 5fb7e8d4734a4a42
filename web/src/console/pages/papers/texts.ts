import type { Translations } from "../../language";

const en = {
  title: "Papers", lead: "PubMed records on this server: search them, open and cite them, and keep queries up to date.",
  find: "Find", watched: "Watched queries", view: "View", go: "Search papers", box: "Search papers", placeholder: "Question, title, PMID or DOI",
  newest: "Newest here", byYear: "Papers by year", byKind: "Papers by kind of study", papers: "papers", year: "Year", kind: "Kind", count: "Papers",
  none: "No papers yet", noneHint: "Import PubMed files, or watch a query.", toImport: "Import papers", toWatch: "Watch a query", sample: "sample", entered: "Entered", newestOf: (shown: string, all: string) => `the newest ${shown} of ${all}; find the others above`, published: "Published",
  paper: "Paper", back: "Papers", abstract: "Abstract", noAbstract: "PubMed has no abstract of this paper.", fullText: "Full text", noFullText: "The full text is not here. Open-access articles can be fetched: `sanya papers fulltext`.",
  more: "Read on", licence: "Licence", related: "Related papers", relatedNone: "Nothing related here.", cite: "Cite", style: "Style", cited: "Cited here", citedNone: "Nothing on this server cites this paper.", citedHerbs: "Herbs and statements", citedMemories: "Memories",
  about: "About", journal: "Journal", study: "Kind of study", quality: "Quality", of: (n: number) => `${n} of 9`, version: "Version", versions: "Versions", versionNow: "now", checkpointsNone: "There is no earlier version here.", asOf: "as of",
  onPubMed: "Open in PubMed", onPmc: "Open in PubMed Central", retracted: "retracted",
  parts: { design: "Design", recency: "Recency", journal: "Journal", human: "In humans" }, kinds: { link: "about each other", mesh: "shared subjects", text: "similar text" },
  links: { cites: "cited by this paper", cited_by: "cites this paper", shared_references: "shared references", retraction_in: "retraction", retraction_of: "retracted paper", erratum_in: "erratum", erratum_for: "corrected paper", comment_in: "comment", comment_on: "paper commented on" } as Record<string, string>,
  query: "PubMed query", every: "How often", watch: "Watch", unwatch: "Stop watching", hours: "every 12 hours", day: "every day", week: "every week", next: "Next", last: "Last", status: "Result",
  watchLead: "A running server syncs these queries from PubMed. Queries are written in PubMed's own syntax.", watchNone: "No watched queries", watchNoneHint: "Type a query above; it is synced at once and then regularly.", never: "not yet", queryHint: "e.g. turmeric[mh] AND warfarin",
};

export const PAPERS: Translations<typeof en> = {
  en,
  th: {
    title: "งานวิจัย", lead: "ระเบียน PubMed บนเซิร์ฟเวอร์นี้: ค้น เปิด อ้างอิง และติดตามคำค้นให้ทันสมัย",
    find: "ค้นหา", watched: "คำค้นที่ติดตาม", view: "มุมมอง", go: "ค้นงานวิจัย", box: "ค้นงานวิจัย", placeholder: "คำถาม ชื่อเรื่อง PMID หรือ DOI",
    newest: "ใหม่ล่าสุดที่นี่", byYear: "งานวิจัยตามปี", byKind: "งานวิจัยตามชนิดการศึกษา", papers: "เรื่อง", year: "ปี", kind: "ชนิด", count: "จำนวน",
    none: "ยังไม่มีงานวิจัย", noneHint: "นำเข้าแฟ้ม PubMed หรือติดตามคำค้น", toImport: "นำเข้างานวิจัย", toWatch: "ติดตามคำค้น", sample: "ตัวอย่าง", entered: "เข้าระบบ", newestOf: (shown, all) => `ใหม่ที่สุด ${shown} จาก ${all} เรื่อง ที่เหลือค้นได้ด้านบน`, published: "เผยแพร่",
    paper: "งานวิจัย", back: "งานวิจัยทั้งหมด", abstract: "บทคัดย่อ", noAbstract: "PubMed ไม่มีบทคัดย่อของงานนี้", fullText: "ฉบับเต็ม", noFullText: "ยังไม่มีฉบับเต็มที่นี่ บทความเปิดดึงมาได้ด้วย `sanya papers fulltext`",
    more: "อ่านต่อ", licence: "สัญญาอนุญาต", related: "งานที่เกี่ยวข้อง", relatedNone: "ไม่มีงานที่เกี่ยวข้องที่นี่", cite: "อ้างอิง", style: "รูปแบบ", cited: "ถูกอ้างที่นี่", citedNone: "ยังไม่มีสิ่งใดบนเซิร์ฟเวอร์นี้อ้างงานนี้", citedHerbs: "สมุนไพรและข้อความ", citedMemories: "ความจำ",
    about: "ข้อมูล", journal: "วารสาร", study: "ชนิดการศึกษา", quality: "คุณภาพ", of: (n) => `${n} จาก 9`, version: "รุ่น", versions: "รุ่นต่าง ๆ", versionNow: "ปัจจุบัน", checkpointsNone: "ที่นี่ไม่มีรุ่นก่อนหน้า", asOf: "ณ",
    onPubMed: "เปิดใน PubMed", onPmc: "เปิดใน PubMed Central", retracted: "ถูกถอน",
    parts: { design: "รูปแบบการศึกษา", recency: "ความใหม่", journal: "วารสาร", human: "ในมนุษย์" }, kinds: { link: "กล่าวถึงกัน", mesh: "หัวเรื่องร่วม", text: "เนื้อหาใกล้กัน" },
    links: { cites: "งานนี้อ้างถึง", cited_by: "อ้างถึงงานนี้", shared_references: "เอกสารอ้างอิงร่วม", retraction_in: "ประกาศถอน", retraction_of: "งานที่ถูกถอน", erratum_in: "ประกาศแก้ไข", erratum_for: "งานที่ถูกแก้ไข", comment_in: "ข้อคิดเห็น", comment_on: "งานที่ให้ข้อคิดเห็น" },
    query: "คำค้น PubMed", every: "บ่อยเพียงใด", watch: "ติดตาม", unwatch: "เลิกติดตาม", hours: "ทุก 12 ชั่วโมง", day: "ทุกวัน", week: "ทุกสัปดาห์", next: "ครั้งถัดไป", last: "ครั้งก่อน", status: "ผล",
    watchLead: "เซิร์ฟเวอร์ที่ทำงานอยู่จะดึงคำค้นเหล่านี้จาก PubMed เขียนคำค้นตามไวยากรณ์ของ PubMed", watchNone: "ยังไม่มีคำค้นที่ติดตาม", watchNoneHint: "พิมพ์คำค้นด้านบน ระบบจะดึงทันทีและดึงซ้ำเป็นประจำ", never: "ยังไม่เคย", queryHint: "เช่น turmeric[mh] AND warfarin",
  },
};
