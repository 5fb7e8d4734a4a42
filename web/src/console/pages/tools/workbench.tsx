// One tool: its arguments as a form or as JSON, and the button that runs it.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, callTool, isBag } from "../../api";
import { useWords } from "../../language";
import { asApiError } from "../../loading";
import { AreaField, Badge, Card, Choices, CodeBlock, Dialog, Icon } from "../../parts";
import { useSession } from "../../session";
import { AnswerCard, type Run } from "./answer";
import type { Arguments, ToolContract } from "./contract";
import { ContractCard } from "./contract_card";
import { SchemaFields } from "./form";
import { asCurl, asMcp, asPython } from "./snippets";
import { WORDS } from "./words";

export function Workbench({ tool }: { tool: ToolContract }) {
  const words = useWords(WORDS);
  const [args, setArgs] = useState<Arguments>(tool.examples[0]?.arguments ?? {});
  const [text, setText] = useState<string | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [asking, setAsking] = useState(false);
  const answer = useRef<HTMLDivElement>(null);
  const running = stop !== null;
  useEffect(() => () => stop?.abort(), [stop]);

  const start = async () => {
    setAsking(false);
    const controller = new AbortController();
    setStop(controller);
    const startedAt = performance.now();
    const end = (found: Omit<Run, "tookMs">) => setRun({ ...found, tookMs: performance.now() - startedAt });
    try {
      end({ answer: await callTool(tool.name, args, { signal: controller.signal }), error: null });
    } catch (caught) {
      const error = controller.signal.aborted ? new ApiError(words.stopped, 0, "STOPPED") : asApiError(caught);
      end({ answer: null, error });
    } finally {
      setStop(null);
    }
    answer.current?.scrollIntoView({ block: "nearest" });
  };
  const problem = text === null ? null : problemIn(text, words);
  return (
    <div class="stack">
      <header class="tool-head">
        <h2>
          <code>{tool.name}</code>
        </h2>
        <Badge tone={tool.effect === "write" ? "note" : "brand"}>{words[tool.effect]}</Badge>
        <Badge>{tool.suite}</Badge>
      </header>
      <p class="tool-told">
        <strong>{tool.title}.</strong> {tool.description}
      </p>
      <Card
        title={words.arguments}
        aside={
          <Choices
            label={words.view}
            value={text === null ? "form" : "json"}
            options={[["form", words.form], ["json", words.json]]}
            onValue={(view) => setText(view === "json" ? JSON.stringify(args, null, 2) : null)}
          />
        }
      >
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (problem) return;
            if (tool.effect === "write") setAsking(true);
            else void start();
          }}
        >
          {tool.examples.length > 0 && (
            <div class="row examples">
              <span class="dim">{words.examples}:</span>
              {tool.examples.map((example) => (
                <button
                  key={example.title}
                  type="button"
                  onClick={() => {
                    setArgs(example.arguments);
                    if (text !== null) setText(JSON.stringify(example.arguments, null, 2));
                  }}
                >
                  {example.title}
                </button>
              ))}
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  setArgs({});
                  if (text !== null) setText("{}");
                }}
              >
                {words.reset}
              </button>
            </div>
          )}
          {text === null ? (
            <SchemaFields schema={tool.input_schema} value={args} onValue={setArgs} />
          ) : (
            <AreaField
              label={words.json}
              code
              rows={Math.min(18, Math.max(6, text.split("\n").length + 1))}
              value={text}
              error={problem}
              onValue={(typed) => {
                setText(typed);
                if (!problemIn(typed, words)) setArgs(JSON.parse(typed));
              }}
            />
          )}
          <div class="buttons">
            <button type="submit" class="main" disabled={running || problem !== null}>
              <Icon name="play" /> {running ? `${words.running}…` : words.run}
            </button>
            {running && (
              <button type="button" onClick={() => stop?.abort()}>
                {words.stop}
              </button>
            )}
          </div>
        </form>
      </Card>
      <div ref={answer} aria-live="polite">
        {run && <AnswerCard run={run} />}
      </div>
      <TakeAway tool={tool.name} args={args} />
      <ContractCard tool={tool} />
      {asking && (
        <Dialog title={words.confirm} onClose={() => setAsking(false)}>
          <p>
            <code>{tool.name}</code>: {words.confirmWhy}
          </p>
          <CodeBlock text={JSON.stringify(args, null, 2)} label={words.arguments} />
          <div class="buttons">
            <button type="button" class="main" onClick={() => void start()}>
              {words.doIt}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {words.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function TakeAway({ tool, args }: { tool: string; args: Arguments }) {
  const words = useWords(WORDS);
  const session = useSession();
  const [way, setWay] = useState<"curl" | "python" | "mcp">("curl");
  const made = { curl: () => asCurl(tool, args, !session.open), python: () => asPython(tool, args, !session.open), mcp: () => asMcp(tool, args) };
  return (
    <Card
      title={words.takeAway}
      aside={<Choices label={words.takeAway} value={way} options={[["curl", words.curl], ["python", words.python], ["mcp", words.mcp]]} onValue={setWay} />}
    >
      <CodeBlock text={made[way]()} label={words[way]} />
    </Card>
  );
}

function problemIn(text: string, words: (typeof WORDS)["en"]): string | null {
  try {
    return isBag(JSON.parse(text)) ? null : words.badObject;
  } catch {
    return words.badJson;
  }
}
