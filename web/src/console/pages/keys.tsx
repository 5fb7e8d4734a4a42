// Keys: make one with the scopes it needs, see when it was used last, revoke it.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../api";
import { formatCount, formatDay, formatRelative } from "../format";
import { type Translations, useLanguage, useTexts } from "../language";
import { toApiError, useLoaded } from "../loading";
import { Badge, Card, CheckField, CodeBlock, type Column, Dialog, Empty, ErrorBox, LoadedView, PageHead, Table, TextField } from "../parts";

interface Key {
  id: string;
  name: string;
  scopes: string[];
  calls_per_minute: number;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

interface Keys {
  keys: Key[];
  scopes: string[];
  read_scopes: string[];
  needed: boolean;
}

const en = {
  title: "Keys", lead: "A key lets a program or a person in with the scopes you choose. It is shown once; only its hash is kept.",
  open: "No key is needed on this machine now. The first key ends that: from then on every caller needs one, this page too.",
  create: "Create a key", name: "Name", nameHint: "Only you see it, e.g. the program that uses the key", scopes: "Scopes", presets: "Start with", read: "read everything", none: "nothing", all: "everything (*)", limit: "Calls per minute", limitHint: "Empty: the server's own limit",
  made: "Copy the key now: it is not shown again", send: "Programs send it as a header:", done: "I have copied it", used: "Last used", never: "never", created: "Created", state: "State", active: "active", revoked: "revoked", revoke: "Revoke", cancel: "Keep it",
  sure: "Revoke this key?", sureWhy: "Whoever uses it is refused at once, for good.", last: "It is the only active key. Nobody gets in without one then; `sanya keys open` is the way back.", empty: "No keys yet", emptyHint: "Callers on this machine need none until you create the first.", perMinute: "calls per minute", id: "Id",
  meanings: { "*": "every scope, also settings, keys and imports", "audit:read": "see every call, verify the ledger", "metrics:read": "metrics and operations", "herbs:review": "decide about herb statements" } as Record<string, string>,
};

const TEXTS: Translations<typeof en> = {
  en,
  th: {
    title: "กุญแจ", lead: "กุญแจให้โปรแกรมหรือบุคคลเข้าถึงตามสิทธิ์ที่คุณเลือก แสดงครั้งเดียว ระบบเก็บไว้เพียงแฮช",
    open: "ขณะนี้บนเครื่องนี้ไม่ต้องใช้กุญแจ กุญแจดอกแรกจะเปลี่ยนเรื่องนี้: ทุกผู้เรียกต้องใช้กุญแจ รวมทั้งหน้านี้",
    create: "สร้างกุญแจ", name: "ชื่อ", nameHint: "คุณเห็นคนเดียว เช่น ชื่อโปรแกรมที่ใช้", scopes: "สิทธิ์", presets: "เริ่มจาก", read: "อ่านทุกอย่าง", none: "ไม่มี", all: "ทุกอย่าง (*)", limit: "ครั้งต่อนาที", limitHint: "เว้นว่าง: ใช้ขีดจำกัดของเซิร์ฟเวอร์",
    made: "คัดลอกตอนนี้ จะไม่แสดงอีก", send: "โปรแกรมส่งเป็นส่วนหัว:", done: "คัดลอกแล้ว", used: "ใช้ล่าสุด", never: "ยังไม่เคย", created: "สร้างเมื่อ", state: "สถานะ", active: "ใช้ได้", revoked: "ถูกยกเลิก", revoke: "ยกเลิก", cancel: "เก็บไว้",
    sure: "ยกเลิกกุญแจนี้หรือไม่", sureWhy: "ผู้ใช้กุญแจนี้จะถูกปฏิเสธทันทีและถาวร", last: "เป็นกุญแจดอกเดียวที่ใช้ได้ หลังจากนี้จะไม่มีใครเข้าได้ ทางกลับคือ `sanya keys open`", empty: "ยังไม่มีกุญแจ", emptyHint: "ผู้เรียกบนเครื่องนี้ไม่ต้องใช้กุญแจจนกว่าคุณจะสร้างดอกแรก", perMinute: "ครั้งต่อนาที", id: "รหัส",
    meanings: { "*": "ทุกสิทธิ์ รวมการตั้งค่า กุญแจ และการนำเข้า", "audit:read": "ดูทุกการเรียก ตรวจสอบบัญชี", "metrics:read": "ตัวเลขการทำงาน", "herbs:review": "ตัดสินข้อความสมุนไพร" },
  },
};

export default function Keys() {
  const texts = useTexts(TEXTS);
  const loaded = useLoaded((signal) => getJson<Keys>("/console/api/keys", { signal }), []);
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <button type="button" class="main" disabled={!loaded.value} onClick={() => setMaking(true)}>
          {texts.create}
        </button>
      </PageHead>
      <div class="stack">
        <LoadedView loaded={loaded}>
          {(keys) => (
            <>
              {!keys.needed && <p class="notice loud">{texts.open}</p>}
              <Card>{keys.keys.length ? <KeyTable keys={keys.keys} onChanged={loaded.reload} /> : <Empty title={texts.empty}>{texts.emptyHint}</Empty>}</Card>
              {making && (
                <CreateKey
                  keys={keys}
                  onClose={() => {
                    setMaking(false);
                    loaded.reload();
                  }}
                />
              )}
            </>
          )}
        </LoadedView>
      </div>
    </>
  );
}

function KeyTable({ keys, onChanged }: { keys: Key[]; onChanged(): void }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const [revoking, setRevoking] = useState<Key | null>(null);
  const columns: Column<Key>[] = [
    { name: "name", title: texts.name, value: (key) => key.name, show: (key) => <strong>{key.name}</strong> },
    { name: "state", title: texts.state, value: (key) => (key.revoked_at ? "revoked" : "active"), show: (key) => <Badge tone={key.revoked_at ? "plain" : "good"}>{key.revoked_at ? texts.revoked : texts.active}</Badge> },
    { name: "scopes", title: texts.scopes, value: (key) => key.scopes.join(" "), show: (key) => <span class="scope-list">{key.scopes.map((scope) => <code key={scope}>{scope}</code>)}</span> },
    { name: "calls_per_minute", title: texts.perMinute, figure: true, value: (key) => key.calls_per_minute, show: (key) => formatCount(key.calls_per_minute, language) },
    { name: "last_used_at", title: texts.used, value: (key) => key.last_used_at, show: (key) => <span class="nowrap">{key.last_used_at ? formatRelative(key.last_used_at, language) : texts.never}</span> },
    { name: "created_at", title: texts.created, minor: true, value: (key) => key.created_at, show: (key) => <span class="nowrap">{formatDay(key.created_at, language)}</span> },
    { name: "id", title: texts.id, minor: true, value: (key) => key.id, show: (key) => <code>{key.id}</code> },
    {
      name: "act",
      title: "",
      value: null,
      show: (key) =>
        !key.revoked_at && (
          <button type="button" class="danger" aria-label={`${texts.revoke}: ${key.name}`} onClick={() => setRevoking(key)}>
            {texts.revoke}
          </button>
        ),
    },
  ];
  return (
    <>
      <Table label={texts.title} columns={columns} rows={keys} keyOf={(key) => key.id} file="keys" />
      {revoking && (
        <RevokeKey
          key={revoking.id}
          revoked={revoking}
          isLast={keys.filter((key) => !key.revoked_at).length === 1}
          onClose={() => {
            setRevoking(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}

function RevokeKey({ revoked, isLast, onClose }: { revoked: Key; isLast: boolean; onClose(): void }) {
  const texts = useTexts(TEXTS);
  const [error, setError] = useState<ApiError | null>(null);
  const revoke = () =>
    postJson("/console/api/keys/revoke", { id: revoked.id }).then(onClose, (caught) => setError(toApiError(caught)));
  return (
    <Dialog title={texts.sure} onClose={onClose}>
      <p>
        <strong>{revoked.name}</strong> <code>{revoked.id}</code>
      </p>
      <p>{texts.sureWhy}</p>
      {isLast && <p class="notice loud">{texts.last.replaceAll("`", "")}</p>}
      {error && <ErrorBox error={error} />}
      <div class="buttons">
        <button type="button" class="danger" onClick={() => void revoke()}>
          {texts.revoke}
        </button>
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </Dialog>
  );
}

function CreateKey({ keys, onClose }: { keys: Keys; onClose(): void }) {
  const texts = useTexts(TEXTS);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(keys.read_scopes));
  const [limit, setLimit] = useState("");
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setError(null);
    try {
      const answer = await postJson<{ key: string }>("/console/api/keys", { name: name.trim(), scopes: [...scopes], calls_per_minute: limit.trim() ? Number(limit) : null });
      setMade(answer.key);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  const flip = (scope: string, on: boolean) => {
    const next = new Set(scopes);
    if (on) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  if (made) {
    return (
      <Dialog title={texts.made} onClose={onClose} wide>
        <CodeBlock text={made} label={texts.title} />
        <p class="dim">{texts.send}</p>
        <CodeBlock text={`Authorization: Bearer ${made}`} label={texts.send} />
        <div class="buttons">
          <button type="button" class="main" onClick={onClose}>
            {texts.done}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.create} onClose={onClose} wide>
      <form
        class="stack tight-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() && scopes.size) void create();
        }}
      >
        <TextField label={texts.name} value={name} onValue={setName} hint={texts.nameHint} maxLength={100} required autoFocus />
        <fieldset class="many">
          <legend>{texts.scopes}</legend>
          <div class="row" role="group" aria-label={texts.presets}>
            <small>{texts.presets}</small>
            <button type="button" onClick={() => setScopes(new Set(keys.read_scopes))}>
              {texts.read}
            </button>
            <button type="button" onClick={() => setScopes(new Set(["*"]))}>
              {texts.all}
            </button>
            <button type="button" onClick={() => setScopes(new Set())}>
              {texts.none}
            </button>
          </div>
          <div class="scope-grid">
            {keys.scopes.map((scope) => (
              <CheckField key={scope} label={scope} hint={texts.meanings[scope]} checked={scopes.has(scope)} onValue={(on) => flip(scope, on)} />
            ))}
          </div>
        </fieldset>
        <TextField label={texts.limit} type="number" min={0} max={1000000} value={limit} onValue={setLimit} hint={texts.limitHint} />
        {error && <ErrorBox error={error} />}
        <div class="buttons">
          <button type="submit" class="main" disabled={busy || !name.trim() || scopes.size === 0}>
            {texts.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
