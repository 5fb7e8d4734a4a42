// One box to go anywhere: pages, tools, recent items, and what all suites find for the typed text.
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { callTool, getJson } from "./api";
import { useLanguage, useTexts } from "./language";
import { Icon } from "./parts";
import type { IconName } from "./parts/icon";
import { buildHref, navigate } from "./router";
import { ROUTES, isAllowed } from "./routes";
import { type Session, hasScope, useSession } from "./session";
import { SHELL } from "./texts";
import { PALETTE } from "./palette_texts";
import { loadRecent, useSaved } from "./visits";

interface Choice {
  group: keyof (typeof PALETTE)["en"]["groups"];
  icon: IconName;
  title: string;
  more?: string;
  address: string;
}

const PAUSE_MS = 140;
const MOST_OF_A_SUITE = 4;

export function Palette({ onClose }: { onClose(): void }) {
  const texts = useTexts(PALETTE);
  const box = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const local = useLocalChoices(typed);
  const { found, busy } = useFound(typed);
  const choices = [...local, ...found];
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useEffect(() => setAt(0), [typed]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" });
  }, [at, choices.length]);
  const go = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    navigate(choice.address);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && choices.length) {
      event.preventDefault();
      setAt((at + step + choices.length) % choices.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(choices[at]);
    }
  };
  let group = "";
  return (
    <dialog ref={box} class="palette" aria-label={texts.title} onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <div class="palette-box">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={texts.title}
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={choices.length ? `${id}-${at}` : undefined}
          placeholder={texts.placeholder}
          autoComplete="off"
          spellcheck={false}
          maxLength={300}
          value={typed}
          autoFocus
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </div>
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label={texts.title} ref={list} tabIndex={-1}>
        {choices.map((choice, place) => {
          const head = choice.group !== group ? texts.groups[choice.group] : null;
          group = choice.group;
          return (
            <div key={`${choice.group} ${choice.address} ${choice.title}`} role="presentation">
              {head && (
                <p class="palette-group" role="presentation">
                  {head}
                </p>
              )}
              <div id={`${id}-${place}`} role="option" aria-selected={place === at} class="palette-item" onPointerMove={() => setAt(place)} onClick={() => go(choice)}>
                <Icon name={choice.icon} />
                <span>{choice.title}</span>
                {choice.more && <small>{choice.more}</small>}
              </div>
            </div>
          );
        })}
      </div>
      <p class="palette-foot" role="status">
        {busy ? `${texts.searching}…` : choices.length === 0 ? texts.none : texts.keys}
      </p>
    </dialog>
  );
}

/** Views within pages that have an address of their own. */
const VIEWS: { name: keyof (typeof PALETTE)["en"]["views"]; page: (typeof ROUTES)[number]["name"]; path: string; words: string }[] = [
  { name: "safety", page: "herbs", path: "safety", words: "interaction" },
  { name: "contradictions", page: "memory", path: "contradictions", words: "conflicts disputes" },
  { name: "graph", page: "memory", path: "graph", words: "entities" },
  { name: "watched", page: "papers", path: "watched", words: "sync" },
  { name: "coverage", page: "review", path: "coverage", words: "herbs" },
  { name: "list", page: "tasks", path: "list", words: "" },
];

/** Pages, tools, recent items and saved views whose names hold every typed word. */
function useLocalChoices(typed: string): Choice[] {
  const texts = useTexts(PALETTE);
  const names = useTexts(SHELL);
  const language = useLanguage();
  const session = useSession();
  const saved = useSaved();
  const recent = useMemo(loadRecent, []);
  const [tools, setTools] = useState<{ name: string; title: string }[]>([]);
  useEffect(() => {
    getJson<{ tools: { name: string; title: string }[] }>(`/tools?lang=${language}`).then(
      (answer) => setTools(answer.tools),
      () => undefined,
    );
  }, []);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...names: string[]) => words.every((word) => names.some((name) => name.toLowerCase().includes(word)));
  const choices: Choice[] = [];
  const direct = addressOf(typed.trim());
  if (direct) choices.push({ group: "pages", icon: "right", title: typed.trim(), address: direct });
  if (words.length === 0) choices.push(...recent.slice(0, 5).map((visit): Choice => ({ group: "recent", icon: "clock", title: visit.title, address: visit.address })));
  choices.push(...saved.filter((visit) => fits(visit.title)).map((visit): Choice => ({ group: "saved", icon: "star", title: visit.title, address: visit.address })));
  for (const route of ROUTES) {
    if (isAllowed(route, session) && fits(names[route.name], SHELL.en[route.name], route.name)) choices.push({ group: "pages", icon: route.name, title: names[route.name], address: buildHref(route.name) });
  }
  for (const suite of session.suites) {
    if (!suite.has_own_page && hasScope(session, `${suite.name}:read`) && fits(suite.title, suite.name)) choices.push({ group: "pages", icon: "suites", title: suite.title, address: buildHref("suites", [suite.name]) });
  }
  for (const { name, page, path, words: more } of VIEWS) {
    const route = ROUTES.find((candidate) => candidate.name === page);
    if (route && isAllowed(route, session) && fits(texts.views[name], PALETTE.en.views[name], names[page], SHELL.en[page], more)) choices.push({ group: "pages", icon: page, title: texts.views[name], more: names[page], address: buildHref(page, [path]) });
  }
  if (words.length) {
    const found = tools.filter((tool) => fits(tool.name, tool.title)).slice(0, 5);
    choices.push(...found.map((tool): Choice => ({ group: "tools", icon: "play", title: tool.name, more: tool.title, address: buildHref("tools", [tool.name]) })));
    choices.push({ group: "pages", icon: "search", title: texts.everywhere.replace("{q}", typed.trim()), address: buildHref("search", [], { q: typed.trim() }) });
  }
  return choices.sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));
}

const ORDER: Choice["group"][] = ["recent", "saved", "pages", "tools", "herbs", "funds", "tasks", "memory", "papers"];

/** An id that was pasted leads straight to its page. */
function addressOf(typed: string): string | null {
  const pmid = /^(?:pmid:?\s*)(\d{1,10})$/i.exec(typed);
  if (pmid?.[1]) return buildHref("papers", [pmid[1]]);
  if (/^call_[0-9a-f]{1,40}$/.test(typed)) return buildHref("ledger", [typed]);
  if (/^mem_[0-9a-f]{16}$/.test(typed)) return buildHref("memory", [typed]);
  if (/^job_[0-9a-z_]{4,60}$/.test(typed)) return buildHref("jobs", [typed]);
  return null;
}

/** What the suites find, in the order in which they answer. Older answers are dropped. */
function useFound(typed: string): { found: Choice[]; busy: boolean } {
  const session = useSession();
  const [state, setState] = useState<{ typed: string; found: Map<string, Choice[]>; open: number }>({ typed: "", found: new Map(), open: 0 });
  const text = typed.trim();
  useEffect(() => {
    if (text.length < 2) {
      setState({ typed: text, found: new Map(), open: 0 });
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const searches = SEARCHES.filter((search) => hasScope(session, search.scope));
      setState((before) => ({ typed: text, found: before.found, open: searches.length }));
      for (const search of searches) {
        const put = (choices: Choice[]) => {
          if (stop.signal.aborted) return;
          setState((before) => ({ ...before, found: new Map(before.found).set(search.group, choices), open: before.open - 1 }));
        };
        search.run(text, stop.signal, session).then(
          (choices) => put(choices.slice(0, MOST_OF_A_SUITE)),
          () => put([]),
        );
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return { found: ORDER.flatMap((group) => state.found.get(group) ?? []), busy: text.length >= 2 && (state.open > 0 || state.typed !== text) };
}

interface SuiteSearch {
  group: Choice["group"];
  scope: string;
  run(text: string, signal: AbortSignal, session: Session): Promise<Choice[]>;
}

async function complete(prompt: string, argument: string, value: string, signal: AbortSignal): Promise<string[]> {
  const params = new URLSearchParams({ prompt, argument, value });
  return (await getJson<{ values: string[] }>(`/console/api/complete?${params}`, { signal })).values;
}

const SEARCHES: SuiteSearch[] = [
  {
    group: "herbs",
    scope: "herbs:read",
    async run(text, signal) {
      const [herbs, drugs] = await Promise.all([complete("herb_safety", "herb", text, signal), complete("herb_safety", "drugs", text, signal)]);
      const toChoice = (type: string) => (name: string): Choice => ({ group: "herbs", icon: "herbs", title: name, more: type === "drug" ? "℞" : "", address: buildHref("herbs", [type, name]) });
      return [...herbs.slice(0, 3).map(toChoice("herb")), ...drugs.slice(0, 2).map(toChoice("drug"))];
    },
  },
  {
    group: "funds",
    scope: "funds:read",
    run: async (text, signal) => (await complete("explain_fund_risk", "fund", text, signal)).map((code): Choice => ({ group: "funds", icon: "funds", title: code, address: buildHref("funds", [code]) })),
  },
  {
    group: "tasks",
    scope: "tasks:read",
    async run(text, signal) {
      const { data } = await callTool<{ items: { id: string; title: string }[] }>("get_tasks", { search: text, limit: MOST_OF_A_SUITE }, { signal });
      return data.items.map((task): Choice => ({ group: "tasks", icon: "tasks", title: task.title, address: buildHref("tasks", ["task", task.id]) }));
    },
  },
  {
    group: "memory",
    scope: "memory:read",
    async run(text, signal) {
      const { data } = await callTool<{ memories?: { id: string; content: string }[] }>("get_memory", { query: text, limit: MOST_OF_A_SUITE, compact: true }, { signal });
      return (data.memories ?? []).map((memory): Choice => ({ group: "memory", icon: "memory", title: memory.content, address: buildHref("memory", [memory.id]) }));
    },
  },
  {
    group: "papers",
    scope: "papers:read",
    async run(text, signal) {
      const { data } = await callTool<{ documents: { pmid: string; title: string | null; year: number | null }[] }>("rag.search", { query: text, top_k: MOST_OF_A_SUITE, search_mode: "bm25" }, { signal });
      return data.documents.map((paper): Choice => ({ group: "papers", icon: "papers", title: paper.title ?? paper.pmid, more: paper.year === null ? "" : String(paper.year), address: buildHref("papers", [paper.pmid]) }));
    },
  },
];
