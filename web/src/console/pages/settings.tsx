// Settings with their meanings and checks, and backups.
import { useState } from "preact/hooks";
import { type ApiError, getJson, postJson } from "../api";
import { useLanguage, useTexts } from "../language";
import { toApiError, useLoaded } from "../loading";
import { Badge, Card, Choices, Empty, ErrorBox, InlineCode, LoadedView, PageHead, SelectField, TextField } from "../parts";
import { buildHref, navigate } from "../router";
import type { PageProps } from "../routes";
import { Backups } from "./settings/backups";
import { SETTINGS } from "./settings/texts";

interface Setting {
  name: string;
  type: string;
  text: string;
  default: unknown;
  help: string;
  help_th: string;
  secret: boolean;
  source: string;
  is_set: boolean;
  running: string | null;
  may_change: boolean;
}

type Group = keyof (typeof SETTINGS)["en"]["groups"];

// The first pattern that fits decides; what fits none is about the server.
const GROUPS: [Group, RegExp][] = [
  ["access", /^(require_auth|oauth_|allowed_|rate_limit)/],
  ["mcp", /^(tool_names|tools|suites|max_result|suites_disabled)/],
  ["papers", /^(entrez|papers_)/],
  ["herbs", /^(answer_|phrasing_|ingest_)/],
  ["memory", /^(memory_|redis)/],
  ["tasks", /^(tasks_|time_zone)/],
  ["funds", /^thai_sec/],
  ["search", /^(index|weaviate|embedder)/],
  ["storage", /^(database|shadow|replica|engine_)/],
  ["logs", /^(log_|otel|ledger_|receipts)/],
];
const ORDER: Group[] = ["tasks", "papers", "herbs", "memory", "funds", "search", "mcp", "access", "server", "storage", "logs"];

function groupOf(name: string): Group {
  return GROUPS.find(([, pattern]) => pattern.test(name))?.[0] ?? "server";
}

export default function Settings({ params }: PageProps) {
  const texts = useTexts(SETTINGS);
  const loaded = useLoaded((signal) => getJson<{ file: string; settings: Setting[] }>("/console/api/settings", { signal }), []);
  const words = (params.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const only = params.get("show") === "set" ? "set" : "all";
  const put = (part: Record<string, string | null>) => navigate(buildHref("settings", [], { q: params.get("q"), show: only === "set" ? "set" : null, ...part }), true);
  const fits = (setting: Setting) => (only === "all" || setting.is_set) && words.every((word) => setting.name.includes(word) || `${setting.help} ${setting.help_th}`.toLowerCase().includes(word));
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="stack">
        <Backups />
        <div class="setting-find">
          <TextField label={texts.find} type="search" value={params.get("q") ?? ""} onValue={(q) => put({ q })} />
          <Choices label={texts.changedOnly} value={only} options={[["all", texts.all], ["set", texts.set]]} onValue={(show) => put({ show: show === "set" ? "set" : null })} />
        </div>
        <LoadedView loaded={loaded}>
          {({ settings, file }) => {
            const shown = settings.filter(fits);
            return (
              <>
                {shown.length === 0 && (
                  <Card>
                    <Empty title={texts.none}>{texts.noneHint}</Empty>
                  </Card>
                )}
                {ORDER.map((group) => {
                  const members = shown.filter((setting) => groupOf(setting.name) === group);
                  return (
                    members.length > 0 && (
                      <Card key={group} title={texts.groups[group]}>
                        <ul class="settings">
                          {members.map((setting) => (
                            <SettingRow key={setting.name} setting={setting} onSaved={loaded.reload} />
                          ))}
                        </ul>
                      </Card>
                    )
                  );
                })}
                <p>
                  <small>
                    {texts.file}: <code>{file}</code>
                  </small>
                </p>
              </>
            );
          }}
        </LoadedView>
      </div>
    </>
  );
}

function SettingRow({ setting, onSaved }: { setting: Setting; onSaved(): void }) {
  const texts = useTexts(SETTINGS);
  const language = useLanguage();
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useState(false);
  const shown = setting.secret ? (setting.is_set ? texts.isSet : texts.empty) : setting.text || texts.empty;
  return (
    <li>
      <div class="setting-head">
        <code class="setting-name">{setting.name}</code>
        <span class={setting.is_set ? "setting-value" : "setting-value dim"}>{shown}</span>
        {setting.is_set ? <Badge tone="brand">{sourceName(setting.source)}</Badge> : <Badge>{texts.default}</Badge>}
        {setting.may_change && !editing && (
          <button type="button" aria-label={`${texts.change}: ${setting.name}`} onClick={() => setEditing(true)}>
            {texts.change}
          </button>
        )}
      </div>
      <p class="hint">
        <InlineCode text={language === "th" ? setting.help_th : setting.help} />
      </p>
      {!setting.may_change && (
        <p class="hint">
          {texts.guarded} <code>sanya settings set {setting.name} …</code>
        </p>
      )}
      {setting.running !== null && (
        <p class="hint running">
          {texts.running} <code>{setting.running || texts.empty}</code>. {texts.restart}
        </p>
      )}
      {saved && !editing && (
        <p class="hint good-text" role="status">
          {texts.saved}
        </p>
      )}
      {editing && (
        <EditSetting
          setting={setting}
          onDone={(isSaved) => {
            setEditing(false);
            setSaved(isSaved);
            if (isSaved) onSaved();
          }}
        />
      )}
    </li>
  );
}

/** The file's name without its folder; other sources are words already. */
function sourceName(source: string): string {
  return source.split(/[\\/]/).pop() ?? source;
}

function EditSetting({ setting, onDone }: { setting: Setting; onDone(saved: boolean): void }) {
  const texts = useTexts(SETTINGS);
  const [value, setValue] = useState(setting.text);
  const [error, setError] = useState<ApiError | null>(null);
  const [fine, setFine] = useState(false);
  const [busy, setBusy] = useState(false);
  const choices = setting.type.includes(" | ") ? setting.type.split(" | ") : null;
  const send = async (check: boolean) => {
    setBusy(true);
    setError(null);
    setFine(false);
    try {
      await postJson("/console/api/settings", { name: setting.name, value, check });
      if (check) setFine(true);
      else onDone(true);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setBusy(false);
    }
  };
  const put = (text: string) => {
    setValue(text);
    setFine(false);
    setError(null);
  };
  const label = `${texts.value}: ${setting.name}`;
  return (
    <form
      class="edit-setting"
      onSubmit={(event) => {
        event.preventDefault();
        void send(false);
      }}
    >
      {choices ? (
        <SelectField label={label} value={value} onValue={put} options={choices} />
      ) : (
        <TextField
          label={label}
          type={setting.secret ? "password" : "text"}
          value={value}
          onValue={put}
          maxLength={8192}
          hint={setting.type === "list of text" ? texts.list : undefined}
          error={error?.message ?? null}
          autoFocus
        />
      )}
      <div class="buttons">
        <button type="submit" class="main" disabled={busy}>
          {texts.save}
        </button>
        <button type="button" disabled={busy} onClick={() => void send(true)}>
          {texts.check}
        </button>
        <button type="button" class="quiet" onClick={() => onDone(false)}>
          {texts.cancel}
        </button>
        {fine && (
          <span class="good-text" role="status">
            {texts.fine}
          </span>
        )}
      </div>
      {choices && error && <ErrorBox error={error} />}
    </form>
  );
}
