import { useState } from "preact/hooks";
import { useLanguage, useTexts } from "./language";
import { TextField, InlineCode } from "./parts";
import { SHELL } from "./texts";

export function SignIn({ refused, onKey, onLanguage }: { refused: boolean; onKey(key: string): void; onLanguage(): void }) {
  const texts = useTexts(SHELL);
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
            {texts.other}
          </button>
        </div>
        <p>{texts.signInWhy}</p>
        <TextField
          label={texts.key}
          type="password"
          value={key}
          onValue={setKey}
          hint={<InlineCode text={texts.signInHow} />}
          error={refused ? texts.badKey : null}
          required
          autoFocus
        />
        <button type="submit" class="main">
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
