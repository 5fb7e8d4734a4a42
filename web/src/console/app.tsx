// The console: who is here, in which language, and which page they look at.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, getJson, hasKey, keepKey, whenRefused } from "./api";
import { Layout, loadAhead } from "./layout";
import { type Language, LanguageContext, firstLanguage, keepLanguage } from "./language";
import { asApiError } from "./loading";
import { ErrorBox, Spinner } from "./parts";
import { readPlace } from "./router";
import { type Session, SessionContext } from "./session";
import { SignIn } from "./sign_in";

type Standing = { is: "asking" } | { is: "in"; session: Session } | { is: "out"; refused: boolean } | { is: "lost"; error: ApiError };

export function App() {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [standing, setStanding] = useState<Standing>({ is: "asking" });

  const enter = async () => {
    const tried = hasKey();
    try {
      setStanding({ is: "in", session: await getJson<Session>("/console/api/session") });
    } catch (caught) {
      const error = asApiError(caught);
      setStanding(error.status === 401 ? { is: "out", refused: tried } : { is: "lost", error });
    }
  };
  const switchLanguage = () => setLanguage(language === "th" ? "en" : "th");
  const signOut = () => {
    keepKey(null);
    setStanding({ is: "out", refused: false });
  };
  useEffect(() => {
    whenRefused(() => {
      const refused = hasKey();
      keepKey(null);
      setStanding({ is: "out", refused });
    });
    void enter();
    loadAhead(readPlace(location.hash).page);
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    keepLanguage(language);
  }, [language]);

  return (
    <LanguageContext.Provider value={language}>
      {standing.is === "asking" && <Spinner />}
      {standing.is === "lost" && (
        <main class="alone">
          <ErrorBox error={standing.error} onRetry={() => void enter()} />
        </main>
      )}
      {standing.is === "out" && (
        <SignIn
          refused={standing.refused}
          onLanguage={switchLanguage}
          onKey={(key) => {
            keepKey(key);
            void enter();
          }}
        />
      )}
      {standing.is === "in" && (
        <SessionContext.Provider value={standing.session}>
          <Layout onLanguage={switchLanguage} onSignOut={signOut} />
        </SessionContext.Provider>
      )}
    </LanguageContext.Provider>
  );
}
