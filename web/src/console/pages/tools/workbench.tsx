// A tool: its arguments as a form or as JSON, the run button, and the answer.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, callTool, isObject } from "../../api";
import { useTexts } from "../../language";
import { toApiError } from "../../loading";
import { AreaField, Badge, Card, Choices, CodeBlock, Dialog, Icon } from "../../parts";
import { buildHref } from "../../router";
import { useSession, useSuiteNames } from "../../session";
import { AnswerCard, type Run } from "./answer";
import type { Arguments, ToolContract } from "./contract";
import { ContractCard } from "./contract_card";
import { SchemaFields } from "./form";
import { asCurl, asMcp, asPython } from "./snippets";
import { TEXTS } from "./texts";

export function Workbench({ tool }: { tool: ToolContract }) {
  const texts = useTexts(TEXTS);
  const nameSuite = useSuiteNames();
  const [args, setArgs] = useState<Arguments>(() => firstArguments(tool));
  return (
    <div class="stack">
      <header class="tool-head">
        <h2>
          <code>{tool.name}</code>
        </h2>
        <Badge tone={tool.effect === "write" ? "note" : "brand"}>{texts[tool.effect]}</Badge>
        <Badge>{nameSuite({ name: tool.suite, title: tool.suite })}</Badge>
      </header>
      <p class="tool-told">
        <strong>{tool.title}.</strong> {tool.description}
      </p>
      <ToolForm tool={tool} onArguments={setArgs} />
      <Snippets tool={tool.name} args={args} />
      <ContractCard tool={tool} />
    </div>
  );
}

const firstArguments = (tool: ToolContract): Arguments => tool.examples[0]?.arguments ?? {};

interface ToolFormProps {
  tool: ToolContract;
  /** The title of the card; "Arguments" if there is none. */
  title?: string;
  lead?: string;
  onArguments?(args: Arguments): void;
  onDone?(): void;
}

/** The arguments of a tool as a form or as JSON, and below them the answer. */
export function ToolForm({ tool, title, lead, onArguments, onDone }: ToolFormProps) {
  const texts = useTexts(TEXTS);
  const [args, keepArgs] = useState<Arguments>(() => firstArguments(tool));
  const [text, setText] = useState<string | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const [asking, setAsking] = useState(false);
  const answer = useRef<HTMLDivElement>(null);
  const running = stop !== null;
  const setArgs = (next: Arguments) => {
    keepArgs(next);
    onArguments?.(next);
  };
  useEffect(() => () => stop?.abort(), [stop]);

  const start = async () => {
    setAsking(false);
    const controller = new AbortController();
    setStop(controller);
    const startedAt = performance.now();
    const end = (result: Omit<Run, "tookMs">) => setRun({ ...result, tookMs: performance.now() - startedAt });
    try {
      end({ answer: await callTool(tool.name, args, { signal: controller.signal }), error: null });
      onDone?.();
    } catch (caught) {
      const error = controller.signal.aborted ? new ApiError(texts.stopped, 0, "STOPPED") : toApiError(caught);
      end({ answer: null, error });
    } finally {
      setStop(null);
    }
    answer.current?.scrollIntoView({ block: "nearest" });
  };
  const problem = text === null ? null : findProblem(text, texts);
  return (
    <div class="stack">
      <Card
        title={title ?? texts.arguments}
        aside={
          <Choices
            label={texts.view}
            value={text === null ? "form" : "json"}
            options={[["form", texts.form], ["json", texts.json]]}
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
          {lead && (
            <p class="dim">
              {lead} <a href={buildHref("tools", [tool.name])}>{tool.name}</a>
            </p>
          )}
          {tool.examples.length > 0 && (
            <div class="row examples">
              <span class="dim">{texts.examples}:</span>
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
                {texts.reset}
              </button>
            </div>
          )}
          {text === null ? (
            <SchemaFields schema={tool.input_schema} value={args} onValue={setArgs} />
          ) : (
            <AreaField
              label={texts.json}
              code
              rows={Math.min(18, Math.max(6, text.split("\n").length + 1))}
              value={text}
              error={problem}
              onValue={(typed) => {
                setText(typed);
                if (!findProblem(typed, texts)) setArgs(JSON.parse(typed));
              }}
            />
          )}
          <div class="buttons">
            <button type="submit" class="main" disabled={running || problem !== null}>
              <Icon name="play" /> {running ? `${texts.running}…` : texts.run}
            </button>
            {running && (
              <button type="button" onClick={() => stop?.abort()}>
                {texts.stop}
              </button>
            )}
          </div>
        </form>
      </Card>
      <div ref={answer} aria-live="polite">
        {run && <AnswerCard run={run} tool={tool.name} />}
      </div>
      {asking && (
        <Dialog title={texts.confirm} onClose={() => setAsking(false)}>
          <p>
            <code>{tool.name}</code>: {texts.confirmWhy}
          </p>
          <CodeBlock text={JSON.stringify(args, null, 2)} label={texts.arguments} />
          <div class="buttons">
            <button type="button" class="main" onClick={() => void start()}>
              {texts.doIt}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {texts.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function Snippets({ tool, args }: { tool: string; args: Arguments }) {
  const texts = useTexts(TEXTS);
  const session = useSession();
  const [way, setWay] = useState<"curl" | "python" | "mcp">("curl");
  const made = { curl: () => asCurl(tool, args, !session.open), python: () => asPython(tool, args, !session.open), mcp: () => asMcp(tool, args) };
  return (
    <Card
      title={texts.takeAway}
      aside={<Choices label={texts.takeAway} value={way} options={[["curl", texts.curl], ["python", texts.python], ["mcp", texts.mcp]]} onValue={setWay} />}
    >
      <CodeBlock text={made[way]()} label={texts[way]} />
    </Card>
  );
}

function findProblem(text: string, texts: (typeof TEXTS)["en"]): string | null {
  try {
    return isObject(JSON.parse(text)) ? null : texts.badObject;
  } catch {
    return texts.badJson;
  }
}
