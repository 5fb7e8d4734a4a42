// The console's root: session, language and layout.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, getJson, hasKey, saveKey, setUnauthorizedHandler } from "./api";
import { Layout, preloadPage } from "./layout";
import { type Language, LanguageContext, loadLanguage, saveLanguage } from "./language";
import { toApiError } from "./loading";
import { ErrorBox, Spinner } from "./parts";
import { parseLocation } from "./router";
import { type Session, SessionContext } from "./session";
import { SignIn } from "./sign_in";
import { forgetVisits } from "./visits";

type SessionState = { is: "asking" } | { is: "in"; session: Session } | { is: "out"; refused: boolean } | { is: "lost"; error: ApiError };

export function App() {
  const [language, setLanguage] = useState<Language>(loadLanguage);
  const [state, setState] = useState<SessionState>({ is: "asking" });

  const enter = async () => {
    const tried = hasKey();
    try {
      setState({ is: "in", session: await getJson<Session>("/console/api/session") });
    } catch (caught) {
      const error = toApiError(caught);
      setState(error.status === 401 ? { is: "out", refused: tried } : { is: "lost", error });
    }
  };
  const switchLanguage = () => setLanguage(language === "th" ? "en" : "th");
  const signOut = () => {
    saveKey(null);
    forgetVisits();
    setState({ is: "out", refused: false });
  };
  useEffect(() => {
    setUnauthorizedHandler(() => {
      const refused = hasKey();
      saveKey(null);
      setState({ is: "out", refused });
    });
    void enter();
    preloadPage(parseLocation(location.hash).page);
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    saveLanguage(language);
  }, [language]);

  return (
    <LanguageContext.Provider value={language}>
      {state.is === "asking" && <Spinner />}
      {state.is === "lost" && (
        <main class="alone">
          <ErrorBox error={state.error} onRetry={() => void enter()} />
        </main>
      )}
      {state.is === "out" && (
        <SignIn
          refused={state.refused}
          onLanguage={switchLanguage}
          onKey={(key) => {
            saveKey(key);
            void enter();
          }}
        />
      )}
      {state.is === "in" && (
        <SessionContext.Provider value={state.session}>
          <Layout onLanguage={switchLanguage} onSignOut={signOut} />
        </SessionContext.Provider>
      )}
    </LanguageContext.Provider>
  );
}
