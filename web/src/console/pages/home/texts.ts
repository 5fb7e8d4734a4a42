import type { Translations } from "../../language";

const en = {
  firstSteps: "Three things to try", hide: "Do not show this again", firstStepsLead: "Below you see what is loaded, and how to connect your AI client. Ctrl-K goes anywhere.", firstStepsSamples: "Some suites hold sample data, so that everything can be tried at once; your own data replaces it. Below: how to connect your AI client. Ctrl-K goes anywhere.",
  steps: {
    safety: { title: "Check a combination", text: "Ginkgo with warfarin and aspirin: every pair, what to do, and the sources." },
    ask: { title: "Search in your language", text: "“ขมิ้นชัน ท้องอืด”, turmeric for bloating, over herbs and papers.", query: "ขมิ้นชัน ท้องอืด" },
    own: { title: "Bring your own data", text: "Tasks, funds, papers or documents; you see the changes before they are written." },
  },
  title: "Welcome to Sanya",
  lead: "One server, five expert tool suites. Every call is validated, limited, recorded and replayable; every answer cites its sources.",
  well: "All systems work", unwell: "Not ready", open: "Open", sample: "sample data", fine: "ok", shipped: "as shipped", asOf: "as of", revision: "revision",
  suites: { tasks: "Tasks", funds: "Retirement funds", memory: "Memory", herbs: "Thai herbal medicine", papers: "PubMed papers" },
  counted: {
    tasks: "tasks", projects: "projects", funds: "funds", nav_points: "daily prices", memories: "memories",
    contradictions: "contradictions", nodes: "entities", edges: "statements", sources: "sources", papers: "papers", watermarks: "watched queries",
    awaiting_vectors: "chunks awaiting vectors",
  },
  health: "Health", checks: { database: "Database", ledger: "Ledger" }, served: "Served", access: "Access", openAccess: "no key on this machine", keyAccess: "with a key", ways: "Endpoints",
  toolsOf: (tools: number, suites: number) => `${tools} tools in ${suites} suites`,
  lately: "Latest calls", latelyOwn: "Your latest calls", all: "Open the ledger", quiet: "No calls yet", quietHint: "Run a tool on the Tools page, or connect a client below.",
  connect: "Connect a client", connectLead: "Any MCP client can use every tool. Choose yours to see the configuration that `sanya connect` writes.",
  client: "Client", way: "Transport", stdio: "Started by the client (stdio)", http: "This running server (HTTP)",
  oneLine: "Run this on this machine", file: "Or add this to its configuration", address: "Address", generic: "Other",
  needsKey: "Replace YOUR-KEY by your key (`sanya keys create NAME`).",
  genericSteps: "Configure the client with this address (streamable HTTP) or this command (stdio).",
};

export const TEXTS: Translations<typeof en> = {
  en,
  th: {
    firstSteps: "สามอย่างที่น่าลอง", hide: "ไม่ต้องแสดงอีก", firstStepsLead: "ด้านล่างคือข้อมูลที่มี และวิธีเชื่อมต่อโปรแกรม AI ของคุณ กด Ctrl-K เพื่อไปที่ใดก็ได้", firstStepsSamples: "บางชุดเป็นข้อมูลตัวอย่างให้ลองได้ทันที ข้อมูลของคุณจะมาแทน ด้านล่างคือวิธีเชื่อมต่อโปรแกรม AI กด Ctrl-K เพื่อไปที่ใดก็ได้",
    steps: {
      safety: { title: "ตรวจการใช้ร่วมกัน", text: "แปะก๊วยกับ warfarin และ aspirin: ทุกคู่ สิ่งที่ควรทำ และแหล่งอ้างอิง" },
      ask: { title: "ค้นด้วยภาษาของคุณ", text: "“ขมิ้นชัน ท้องอืด” ค้นพร้อมกันทั้งสมุนไพรและงานวิจัย", query: "ขมิ้นชัน ท้องอืด" },
      own: { title: "นำข้อมูลของคุณเข้ามา", text: "งาน กองทุน งานวิจัย หรือเอกสาร เห็นสิ่งที่จะเปลี่ยนก่อนบันทึก" },
    },
    title: "ยินดีต้อนรับสู่สัญญา",
    lead: "เซิร์ฟเวอร์เดียว เครื่องมือผู้เชี่ยวชาญห้าชุด ทุกการเรียกถูกตรวจสอบ มีขอบเขต บันทึกไว้ และเล่นซ้ำได้ ทุกคำตอบมีแหล่งอ้างอิง",
    well: "ทุกอย่างเรียบร้อย", unwell: "มีบางอย่างขัดข้อง", open: "เปิด", sample: "ข้อมูลตัวอย่าง", fine: "ปกติ", shipped: "ข้อมูลที่มากับระบบ", asOf: "ข้อมูล ณ", revision: "รุ่นข้อมูล",
    suites: { tasks: "งาน", funds: "กองทุนเพื่อการเลี้ยงชีพ", memory: "ความจำ", herbs: "การแพทย์แผนไทย", papers: "งานวิจัย PubMed" },
    counted: {
      tasks: "งาน", projects: "โครงการ", funds: "กองทุน", nav_points: "ราคารายวัน", memories: "ความจำ",
      contradictions: "ข้อขัดแย้ง", nodes: "รายการ", edges: "ข้อความ", sources: "แหล่งอ้างอิง", papers: "งานวิจัย", watermarks: "คำค้นที่ติดตาม",
      awaiting_vectors: "ส่วนที่รอเวกเตอร์",
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
