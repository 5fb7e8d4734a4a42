// How a call ended, in the reader's words.
import { type Translations, useTexts } from "../language";
import { Badge, type Tone } from "./containers";

const en: Record<string, string> = { ok: "ok", error: "error" };

/** The kinds of faults; English readers get the kind itself. */
const STATUSES: Translations<Record<string, string>> = {
  en,
  th: {
    ok: "สำเร็จ", error: "ผิดพลาด", invalid_argument: "ค่าไม่ถูกต้อง", missing_argument: "ขาดค่าที่จำเป็น", unknown_argument: "มีค่าที่ไม่รู้จัก", bad_cursor: "ตำแหน่งหน้าไม่ถูกต้อง",
    unauthorized: "ไม่มีกุญแจ", forbidden: "ไม่มีสิทธิ์", not_found: "ไม่พบ", unknown_tool: "ไม่มีเครื่องมือนี้", too_large: "ใหญ่เกินไป", answer_too_large: "คำตอบใหญ่เกินไป", rate_limited: "เรียกถี่เกินไป",
    deadline_exceeded: "หมดเวลา", cancelled: "ยกเลิก", unavailable: "ยังไม่พร้อม", store_unavailable: "ฐานข้อมูลไม่พร้อม", upstream_failed: "บริการปลายทางผิดพลาด", internal: "ระบบผิดพลาด",
  },
};

/** A call that answered may still say that nothing was found: that is a remark, not a failure. */
export function CallStatus({ status, fault }: { status: string; fault: string | null }) {
  const texts = useTexts(STATUSES);
  const shown = fault ?? status;
  const tone: Tone = status !== "ok" ? "bad" : fault === null ? "good" : "note";
  return <Badge tone={tone}>{texts[shown] ?? shown.replaceAll("_", " ")}</Badge>;
}
