// What is around every page: the list of pages, the switches, and the page itself, loaded when it is first opened.
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Language, useLanguage, useWords } from "./language";
import { Choices, Icon, PageHead, Spinner } from "./parts";
import { type PageProps, type PageRoute, ROUTES, isOpenTo } from "./routes";
import { to, usePlace } from "./router";
import { useSession } from "./session";
import { type Theme, applyTheme, keptTheme } from "./kept";
import { SHELL } from "./words";

const loaded = new Map<string, ComponentType<PageProps>>();

/** Begins to load the page of an address, without waiting for who is here. */
export function loadAhead(page: string): void {
  const route = ROUTES.find((one) => one.name === page);
  if (route) load(route).catch(() => undefined);
}

async function load(route: PageRoute): Promise<void> {
  if (!loaded.has(route.name)) loaded.set(route.name, (await route.load()).default);
}

export function Layout({ onLanguage, onSignOut }: { onLanguage(): void; onSignOut(): void }) {
  const words = useWords(SHELL);
  const place = usePlace();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    setOpen(false);
    if (first.current) first.current = false;
    else {
      main.current?.focus();
      scrollTo(0, 0);
    }
  }, [place.page, place.path.join("/")]);
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
        {words.skip}
      </a>
      <div class="frame">
        <header class={open ? "side open" : "side"} onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
          <div class="brand">
            <a href={to("home")}>
              <strong>Sanya</strong> <span lang="th">สัญญา</span>
            </a>
            <button type="button" class="quiet menu" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
              <Icon name={open ? "close" : "menu"} />
              <span class="aside">{words.menu}</span>
            </button>
          </div>
          <div class="side-body" id="side">
            <Pages current={place.page} />
            <Switches onLanguage={onLanguage} onSignOut={onSignOut} />
          </div>
        </header>
        <main id="content" ref={main} tabIndex={-1}>
          <Page key={place.page} page={place.page} path={place.path} params={place.params} />
        </main>
      </div>
    </>
  );
}

function Pages({ current }: { current: string }) {
  const words = useWords(SHELL);
  const session = useSession();
  const groups = [null, "explore", "operate"] as const;
  const shown = ROUTES.filter((route) => isOpenTo(route, session));
  return (
    <nav aria-label={words.pages}>
      {groups.map((group) => {
        const routes = shown.filter((route) => route.group === group);
        if (routes.length === 0) return null;
        return (
          <div key={group}>
            {group && <h2>{words[group]}</h2>}
            <ul>
              {routes.map((route) => (
                <li key={route.name}>
                  <a href={to(route.name)} aria-current={route.name === current ? "page" : undefined} onPointerEnter={() => load(route).catch(() => undefined)}>
                    <Icon name={route.name} />
                    {words[route.name]}
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
  const words = useWords(SHELL);
  const language = useLanguage();
  const session = useSession();
  const [theme, setTheme] = useState<Theme>(keptTheme);
  const other: Language = language === "th" ? "en" : "th";
  return (
    <div class="switches">
      <Choices<Theme>
        label={words.theme}
        value={theme}
        options={[["auto", words.auto], ["light", words.light], ["dark", words.dark]]}
        onValue={(chosen) => {
          applyTheme(chosen);
          setTheme(chosen);
        }}
      />
      <button type="button" lang={other} title={words.otherLong} onClick={onLanguage}>
        {words.other}
      </button>
      <p class="caller">
        {session.open ? words.asOwner : `${words.signedAs} ${session.caller}`}
        <small>Sanya {session.version}</small>
      </p>
      {!session.open && (
        <button type="button" onClick={onSignOut}>
          {words.signOut}
        </button>
      )}
    </div>
  );
}

function Page({ page, path, params }: PageProps & { page: string }) {
  const words = useWords(SHELL);
  const session = useSession();
  const route = ROUTES.find((one) => one.name === page);
  const [, setTurn] = useState(0);
  const [failed, setFailed] = useState(false);
  const Shown = loaded.get(page);
  useEffect(() => {
    // What was not there when this was drawn may be there by now: drawn again it must be in any case.
    if (!route || Shown) return;
    load(route).then(
      () => setTurn(1),
      () => setFailed(true),
    );
  }, [page]);
  if (!route) {
    return (
      <Instead title={words.notFound}>
        <a href={to("home")}>{words.toHome}</a>
      </Instead>
    );
  }
  if (!isOpenTo(route, session)) {
    return (
      <Instead title={words.forbidden}>
        {words.forbiddenHint} <code>{route.scope}</code>
      </Instead>
    );
  }
  if (failed) {
    return (
      <Instead title={words.reload}>
        <button type="button" onClick={() => location.reload()}>
          {words.reloadNow}
        </button>
      </Instead>
    );
  }
  return Shown ? <Shown path={path} params={params} /> : <Spinner />;
}

/** What stands where a page cannot. */
function Instead({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <PageHead title={title} />
      <div class="instead">{children}</div>
    </>
  );
}
