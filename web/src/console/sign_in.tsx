import { useState } from "preact/hooks";
import { useLanguage, useWords } from "./language";
import { TextField, Told } from "./parts";
import { SHELL } from "./words";

export function SignIn({ refused, onKey, onLanguage }: { refused: boolean; onKey(key: string): void; onLanguage(): void }) {
  const words = useWords(SHELL);
  const language = useLanguage();
  const [key, setKey] = useState("");
  return (
    <main class="alone">
      <form
        class="card sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim()) onKey(key.trim());
        }}
      >
        <div class="card-head">
          <h1>
            Sanya <span lang="th">สัญญา</span>
          </h1>
          <button type="button" class="quiet" lang={language === "th" ? "en" : "th"} onClick={onLanguage}>
            {words.other}
          </button>
        </div>
        <p>{words.signInWhy}</p>
        <TextField
          label={words.key}
          type="password"
          value={key}
          onValue={setKey}
          hint={<Told text={words.signInHow} />}
          error={refused ? words.badKey : null}
          required
          autoFocus
        />
        <button type="submit" class="main">
          {words.signIn}
        </button>
      </form>
    </main>
  );
}
