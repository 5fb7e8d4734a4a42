import { useState } from "preact/hooks";
import { useWords } from "./language";
import { TextField } from "./parts";
import { SHELL } from "./words";

export function SignIn({ refused, onKey }: { refused: boolean; onKey(key: string): void }) {
  const words = useWords(SHELL);
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
        <h1>
          Sanya <span lang="th">สัญญา</span>
        </h1>
        <p>{words.signInWhy}</p>
        <TextField
          label={words.key}
          type="password"
          value={key}
          onValue={setKey}
          hint={words.signInHow}
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
