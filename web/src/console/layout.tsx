// The layout around every page: navigation, settings, and the page itself, loaded on first use.
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Language, useLanguage, useTexts } from "./language";
import { Choices, Icon, InlineCode, PageHead, Spinner } from "./parts";
import { type PageProps, type PageRoute, ROUTES, isAllowed } from "./routes";
import { buildHref, navigate, usePageLocation } from "./router";
import { hasScope, useSession } from "./session";
import { toggleSaved, useSaved } from "./visits";
import { type Theme, applyTheme, loadTheme } from "./preferences";
import { SHELL } from "./texts";

const loaded = new Map<string, ComponentType<PageProps>>();

/** Starts to load a page before the session is known. */
export function preloadPage(page: string): void {
  const route = ROUTES.find((candidate) => candidate.name === page);
  if (route) load(route).catch(() => undefined);
}

async function load(route: PageRoute): Promise<void> {
  if (!loaded.has(route.name)) loaded.set(route.name, (await route.load()).default);
}

export function Layout({ onLanguage, onSignOut }: { onLanguage(): void; onSignOut(): void }) {
  const texts = useTexts(SHELL);
  const place = usePageLocation();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const [finding, setFinding] = useState<ComponentType<{ onClose(): void }> | null>(null);
  const find = () => {
    import("./palette").then(
      (module) => setFinding(() => module.Palette),
      // Without the server there is no box; the page of the search says so, and how to go on.
      () => navigate(buildHref("search")),
    );
  };
  useFindKeys(find);
  useEffect(() => {
    setOpen(false);
    if (first.current) first.current = false;
    else {
      main.current?.focus();
      scrollTo(0, 0);
    }
  }, [place.page, place.path.join("/")]);
  const Finder = finding;
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skip}
      </a>
      <div class="frame">
        <header class={open ? "side open" : "side"} onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
          <div class="brand">
            <a href={buildHref("home")}>
              <strong>Sanya</strong> <span lang="th">สัญญา</span>
            </a>
            <button type="button" class="quiet menu" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
              <Icon name={open ? "close" : "menu"} />
              <span class="aside">{texts.menu}</span>
            </button>
          </div>
          <div class="side-body" id="side">
            <div class="side-scroll">
              <button type="button" class="finder" onClick={find} aria-keyshortcuts="Control+K /">
                <Icon name="search" /> <span>{texts.findShort}</span> <kbd>Ctrl K</kbd>
              </button>
              <Navigation current={place.page} suite={place.page === "suites" ? place.path[0] : undefined} />
              <SavedViews />
            </div>
            <Switches onLanguage={onLanguage} onSignOut={onSignOut} />
          </div>
        </header>
        <main id="content" ref={main} tabIndex={-1}>
          <Page key={place.page} page={place.page} path={place.path} params={place.params} />
        </main>
      </div>
      {Finder && <Finder onClose={() => setFinding(null)} />}
    </>
  );
}

/** Opens the box on Ctrl-K (or ⌘K), and on `/` where nothing is being typed. */
function useFindKeys(find: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
      const isFind = (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey);
      if (!isFind || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      find();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function SavedViews() {
  const texts = useTexts(SHELL);
  const saved = useSaved();
  if (saved.length === 0) return null;
  return (
    <nav aria-label={texts.savedViews} class="saved-views">
      <h2>{texts.savedViews}</h2>
      <ul>
        {saved.map((view) => (
          <li key={view.address}>
            <a href={view.address}>
              <Icon name="star" /> <span>{view.title}</span>
            </a>
            <button type="button" class="quiet" aria-label={`${texts.forget}: ${view.title}`} onClick={() => toggleSaved(view.title, view.address)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Navigation({ current, suite }: { current: string; suite: string | undefined }) {
  const texts = useTexts(SHELL);
  const session = useSession();
  const groups = [null, "explore", "operate", "owner"] as const;
  const allowed = ROUTES.filter((route) => isAllowed(route, session));
  const guests = session.suites.filter((guest) => !guest.has_own_page && hasScope(session, `${guest.name}:read`));
  return (
    <nav aria-label={texts.pages}>
      {groups.map((group) => {
        const routes = allowed.filter((route) => route.group === group);
        if (routes.length === 0) return null;
        const shown = group === "explore" ? guests : [];
        return (
          <div key={group}>
            {group && <h2>{texts[group]}</h2>}
            <ul>
              {routes.map((route) => (
                <li key={route.name}>
                  <a href={buildHref(route.name)} aria-current={route.name === current ? "page" : undefined} onPointerEnter={() => load(route).catch(() => undefined)}>
                    <Icon name={route.name} />
                    {texts[route.name]}
                  </a>
                </li>
              ))}
              {shown.map((guest) => (
                <li key={guest.name}>
                  <a href={buildHref("suites", [guest.name])} aria-current={guest.name === suite ? "page" : undefined}>
                    <Icon name="suites" />
                    {guest.title}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function Switches({ onLanguage, onSignOut }: { onLanguage(): void; onSignOut(): void }) {
  const texts = useTexts(SHELL);
  const language = useLanguage();
  const session = useSession();
  const [theme, setTheme] = useState<Theme>(loadTheme);
  const other: Language = language === "th" ? "en" : "th";
  return (
    <div class="switches">
      <Choices<Theme>
        label={texts.theme}
        value={theme}
        options={[["auto", texts.auto], ["light", texts.light], ["dark", texts.dark]]}
        onValue={(chosen) => {
          applyTheme(chosen);
          setTheme(chosen);
        }}
      />
      <button type="button" lang={other} title={texts.otherLong} onClick={onLanguage}>
        {texts.other}
      </button>
      <p class="caller">
        {session.open ? texts.asOwner : `${texts.signedAs} ${session.caller}`}
        <small>Sanya {session.version}</small>
      </p>
      {!session.open && (
        <button type="button" onClick={onSignOut}>
          {texts.signOut}
        </button>
      )}
    </div>
  );
}

function Page({ page, path, params }: PageProps & { page: string }) {
  const texts = useTexts(SHELL);
  const session = useSession();
  const route = ROUTES.find((candidate) => candidate.name === page);
  const [, setTurn] = useState(0);
  const [failed, setFailed] = useState(false);
  const PageComponent = loaded.get(page);
  useEffect(() => {
    // The page may have been loaded since this render, so render again in any case.
    if (!route || PageComponent) return;
    load(route).then(
      () => setTurn(1),
      () => setFailed(true),
    );
  }, [page]);
  if (!route) {
    return (
      <PageMessage title={texts.notFound}>
        <Existing name={page} />
      </PageMessage>
    );
  }
  if (!isAllowed(route, session)) {
    return (
      <PageMessage title={`${texts[route.name]}: ${texts.forbidden}`}>
        <div class="stack">
          <p>
            {texts.forbiddenHint} <code>{route.scope}</code>. <InlineCode text={texts.forbiddenNext(route.scope ?? "")} />
          </p>
          <PageList title={texts.allowed} />
        </div>
      </PageMessage>
    );
  }
  if (failed) {
    return (
      <PageMessage title={texts.reload}>
        <button type="button" onClick={() => location.reload()}>
          {texts.reloadNow}
        </button>
      </PageMessage>
    );
  }
  return PageComponent ? <PageComponent path={path} params={params} /> : <Spinner />;
}

/** Lists the pages that exist, the nearest name first. */
function Existing({ name }: { name: string }) {
  const texts = useTexts(SHELL);
  const session = useSession();
  const near = ROUTES.filter((route) => isAllowed(route, session)).find((route) => name.length > 2 && (route.name.startsWith(name.slice(0, 3).toLowerCase()) || name.toLowerCase().includes(route.name)));
  return (
    <div class="stack">
      <p>
        <code>{name.slice(0, 80)}</code>{" "}
        {near && (
          <>
            {texts.meant} <a href={buildHref(near.name)}>{texts[near.name]}</a>?
          </>
        )}
      </p>
      <PageList title={texts.exists} />
    </div>
  );
}

/** The pages that the caller may open. */
function PageList({ title }: { title: string }) {
  const texts = useTexts(SHELL);
  const session = useSession();
  return (
    <>
      <p>{title}</p>
      <ul class="row">
        {ROUTES.filter((route) => isAllowed(route, session)).map((route) => (
          <li key={route.name}>
            <a class="button" href={buildHref(route.name)}>
              <Icon name={route.name} /> {texts[route.name]}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A message in place of a page. */
function PageMessage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <PageHead title={title} />
      <div class="instead">{children}</div>
    </>
  );
}
