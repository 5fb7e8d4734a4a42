import type { Translations } from "./language";

const en = {
  home: "Home", search: "Search", herbs: "Herbs", review: "Herb review", memory: "Memory", funds: "Funds", tasks: "Tasks",
  suites: "Suites", tools: "Tools", ledger: "Ledger", jobs: "Jobs", evaluation: "Evaluation", papers: "Papers", import: "Import", operations: "Operations", settings: "Settings", keys: "Keys",
  explore: "Explore", operate: "Operate", owner: "Manage",
  find: "Go to or search", findShort: "Find", save: "Save this view", saved: "Saved", savedViews: "Saved views", forget: "Remove", viewName: "Name of the view",
  exists: "These pages exist:", meant: "Did you mean",
  csv: "CSV", json: "JSON", svg: "SVG", png: "PNG", exportAs: "Save as", more: "Show more", shownOf: (shown: string, total: string) => `${shown} of ${total} shown`,
  skip: "Skip to content", menu: "Menu", pages: "Pages", other: "ไทย", otherLong: "เปลี่ยนเป็นภาษาไทย",
  theme: "Theme", auto: "Auto", light: "Light", dark: "Dark",
  signIn: "Sign in", signOut: "Sign out", signInWhy: "This server requires a key.",
  signInHow: "Create one with `sanya keys create NAME` on the server.",
  key: "Key", badKey: "The key is unknown or revoked.", asOwner: "No key needed on this machine", signedAs: "Signed in as",
  loading: "Loading", retry: "Try again", notFound: "Page not found", toHome: "Go to the home page",
  forbidden: "Your key has no access to this page.", forbiddenHint: "Required scope:", forbiddenNext: (scope: string) => `Ask the owner of this server for a key that has it: \`sanya keys create NAME --scope ${scope === "*" ? "'*'" : scope}\``, allowed: "You may open these pages:",
  reload: "This page could not be loaded. The server cannot be reached, or it was updated.", reloadNow: "Reload",
  toPage: (page: string) => `Go to ${page}`,
  errors: { 0: "", 400: "", 403: "", 404: "", 409: "", 413: "", 429: "", 500: "", 503: "" },
  copy: "Copy", copied: "Copied", nothing: "Nothing here yet", close: "Close", cancel: "Cancel",
};

export const SHELL: Translations<typeof en> = {
  en,
  th: {
    home: "หน้าแรก", search: "ค้นหา", herbs: "สมุนไพร", review: "ตรวจทานสมุนไพร", memory: "ความจำ", funds: "กองทุน", tasks: "งาน",
    suites: "ชุดเครื่องมือ", tools: "เครื่องมือ", ledger: "บัญชีบันทึก", jobs: "งานเบื้องหลัง", evaluation: "การประเมิน", papers: "งานวิจัย", import: "นำเข้า", operations: "การทำงาน", settings: "การตั้งค่า", keys: "กุญแจ",
    explore: "สำรวจ", operate: "ดูแลระบบ", owner: "จัดการ",
    find: "ไปยังหน้าหรือค้นหา", findShort: "ค้นหา", save: "บันทึกมุมมองนี้", saved: "บันทึกแล้ว", savedViews: "มุมมองที่บันทึกไว้", forget: "เอาออก", viewName: "ชื่อมุมมอง",
    exists: "หน้าที่มีอยู่:", meant: "หมายถึง",
    csv: "CSV", json: "JSON", svg: "SVG", png: "PNG", exportAs: "บันทึกเป็น", more: "แสดงเพิ่ม", shownOf: (shown, total) => `แสดง ${shown} จาก ${total}`,
    skip: "ข้ามไปยังเนื้อหา", menu: "เมนู", pages: "หน้า", other: "English", otherLong: "Switch to English",
    theme: "ธีม", auto: "อัตโนมัติ", light: "สว่าง", dark: "มืด",
    signIn: "เข้าสู่ระบบ", signOut: "ออกจากระบบ", signInWhy: "เซิร์ฟเวอร์นี้ต้องใช้กุญแจ",
    signInHow: "สร้างได้ด้วย `sanya keys create NAME` บนเครื่องที่ให้บริการ",
    key: "กุญแจ", badKey: "ไม่รู้จักกุญแจนี้ หรือถูกยกเลิกแล้ว", asOwner: "เปิดใช้บนเครื่องนี้", signedAs: "เข้าสู่ระบบเป็น",
    loading: "กำลังโหลด", retry: "ลองอีกครั้ง", notFound: "ไม่มีหน้านี้", toHome: "ไปหน้าแรก",
    forbidden: "กุญแจของคุณเปิดหน้านี้ไม่ได้", forbiddenHint: "ต้องมีสิทธิ์", forbiddenNext: (scope) => `ขอกุญแจที่มีสิทธิ์นี้จากเจ้าของเซิร์ฟเวอร์: \`sanya keys create NAME --scope ${scope === "*" ? "'*'" : scope}\``, allowed: "หน้าที่คุณเปิดได้:",
    reload: "โหลดหน้านี้ไม่ได้ ติดต่อเซิร์ฟเวอร์ไม่ได้ หรือเซิร์ฟเวอร์ได้รับการอัปเดต", reloadNow: "โหลดใหม่",
    toPage: (page) => `ไปหน้า${page}`,
    errors: {
      0: "ติดต่อเซิร์ฟเวอร์ไม่ได้ ตรวจดูว่า sanya serve ยังทำงานอยู่", 400: "เซิร์ฟเวอร์ไม่รับค่านี้", 403: "กุญแจของคุณไม่มีสิทธิ์ทำสิ่งนี้", 404: "ไม่พบสิ่งนี้ที่นี่", 409: "ข้อมูลเปลี่ยนไปแล้ว โหลดใหม่แล้วลองอีกครั้ง",
      413: "แฟ้มหรือข้อความใหญ่เกินไป", 429: "เรียกถี่เกินไป รอสักครู่แล้วลองใหม่", 500: "เซิร์ฟเวอร์ผิดพลาด รายละเอียดอยู่ในบันทึกของเซิร์ฟเวอร์", 503: "เซิร์ฟเวอร์ยังไม่พร้อม หรือใช้เวลานานเกินไป",
    },
    copy: "คัดลอก", copied: "คัดลอกแล้ว", nothing: "ยังไม่มีข้อมูล", close: "ปิด", cancel: "ยกเลิก",
  },
};
