import type { Spoken } from "../../language";

const en = {
  title: "Welcome to Sanya",
  lead: "One server, five expert toolsets. Every call is validated, bounded, recorded and replayable; every answer is cited.",
  well: "All is well", unwell: "Something fails", open: "Open", sample: "sample data", asOf: "as of", revision: "revision",
  suites: { tasks: "Tasks", funds: "Retirement funds", memory: "Memory", herbs: "Thai herbal medicine", papers: "PubMed papers" },
  counted: {
    tasks: "tasks", projects: "projects", funds: "funds", nav_points: "daily prices", memories: "memories",
    contradictions: "contradictions", nodes: "entities", edges: "statements", sources: "sources", papers: "papers", watermarks: "queries kept up to date",
  },
  health: "Health", checks: { database: "Database answers", ledger: "Ledger can be written" }, served: "Served", access: "Access", openAccess: "open on this machine", keyAccess: "with a key", ways: "Ways in",
  toolsOf: (tools: number, suites: number) => `${tools} tools in ${suites} suites`,
  lately: "Latest calls", latelyOwn: "Your latest calls", all: "The whole ledger", quiet: "No call yet", quietHint: "Try one on the page Tools, or connect a client below.",
  connect: "Connect a client", connectLead: "Any MCP client can use every tool. Choose yours; what you see is what `sanya connect` writes.",
  client: "Client", way: "How", stdio: "The client starts it", http: "This running server",
  oneLine: "In one line, on this machine", file: "Or put this into its configuration", address: "Address", generic: "Any other",
  needsKey: "Put a key of yours in the place of YOUR-KEY (`sanya keys create NAME`).",
  genericSteps: "Give the client this address (streamable HTTP), or this program (stdio).",
};

export const WORDS: Spoken<typeof en> = {
  en,
  th: {
    title: "ยินดีต้อนรับสู่สัญญา",
    lead: "เซิร์ฟเวอร์เดียว เครื่องมือผู้เชี่ยวชาญห้าชุด ทุกการเรียกถูกตรวจสอบ มีขอบเขต บันทึกไว้ และเล่นซ้ำได้ ทุกคำตอบมีแหล่งอ้างอิง",
    well: "ทุกอย่างเรียบร้อย", unwell: "มีบางอย่างขัดข้อง", open: "เปิด", sample: "ข้อมูลตัวอย่าง", asOf: "ข้อมูล ณ", revision: "รุ่นข้อมูล",
    suites: { tasks: "งาน", funds: "กองทุนเพื่อการเลี้ยงชีพ", memory: "ความจำ", herbs: "การแพทย์แผนไทย", papers: "งานวิจัย PubMed" },
    counted: {
      tasks: "งาน", projects: "โครงการ", funds: "กองทุน", nav_points: "ราคารายวัน", memories: "ความจำ",
      contradictions: "ข้อขัดแย้ง", nodes: "รายการ", edges: "ข้อความ", sources: "แหล่งอ้างอิง", papers: "งานวิจัย", watermarks: "คำค้นที่ติดตาม",
    },
    health: "สถานะ", checks: { database: "ฐานข้อมูลตอบสนอง", ledger: "บัญชีบันทึกเขียนได้" }, served: "ให้บริการ", access: "การเข้าถึง", openAccess: "เปิดบนเครื่องนี้", keyAccess: "ใช้กุญแจ", ways: "ช่องทาง",
    toolsOf: (tools, suites) => `${tools} เครื่องมือใน ${suites} ชุด`,
    lately: "การเรียกล่าสุด", latelyOwn: "การเรียกล่าสุดของคุณ", all: "บัญชีทั้งหมด", quiet: "ยังไม่มีการเรียก", quietHint: "ลองเรียกในหน้าเครื่องมือ หรือเชื่อมต่อไคลเอนต์ด้านล่าง",
    connect: "เชื่อมต่อไคลเอนต์", connectLead: "ไคลเอนต์ MCP ใดก็ใช้เครื่องมือได้ทั้งหมด เลือกของคุณ ข้อความนี้ตรงกับที่ `sanya connect` เขียน",
    client: "ไคลเอนต์", way: "วิธี", stdio: "ไคลเอนต์เริ่มเอง", http: "เซิร์ฟเวอร์ที่เปิดอยู่นี้",
    oneLine: "บรรทัดเดียวบนเครื่องนี้", file: "หรือใส่ข้อความนี้ในการตั้งค่า", address: "ที่อยู่", generic: "อื่น ๆ",
    needsKey: "ใส่กุญแจของคุณแทน YOUR-KEY (`sanya keys create NAME`)",
    genericSteps: "ให้ที่อยู่นี้แก่ไคลเอนต์ (streamable HTTP) หรือโปรแกรมนี้ (stdio)",
  },
};
