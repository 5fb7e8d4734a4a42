// A form generated from a tool's schema. It is controlled: it shows the arguments and reports changes.
import { useEffect, useId, useState } from "preact/hooks";
import { isObject } from "../../api";
import { useTexts } from "../../language";
import { AreaField, CheckField, Field, SelectField, TextField } from "../../parts";
import { type Arguments, type Schema, boundsOf, choicesOf, kindOf, withArgument } from "./contract";
import { TEXTS } from "./texts";

interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  required: boolean;
  onValue(value: unknown): void;
}

const LONG_TEXT = 1000;
const LONG_NAMES = /content|text|question|note|body/;

export function SchemaFields({ schema, value, onValue }: { schema: Schema; value: Arguments; onValue(value: Arguments): void }) {
  const required = schema.required ?? [];
  const names = Object.keys(schema.properties ?? {});
  const sorted = [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))];
  return (
    <div class="fields">
      {sorted.map((name) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema.properties?.[name] ?? {}}
          value={value[name]}
          required={required.includes(name)}
          onValue={(next) => onValue(withArgument(value, name, next))}
        />
      ))}
    </div>
  );
}

function SchemaField(props: FieldProps) {
  const { schema } = props;
  const kind = kindOf(schema);
  if (choicesOf(schema)) return <ChoiceField {...props} />;
  if (kind === "boolean") return <BooleanField {...props} />;
  if (kind === "integer" || kind === "number") return <NumberField {...props} />;
  if (kind === "string") return <StringField {...props} />;
  if (kind === "array" && schema.items) {
    if (schema.items.properties) return <ObjectsField {...props} items={schema.items} />;
    const choices = choicesOf(schema.items);
    return choices ? <MultiChoiceField {...props} choices={choices} /> : <LinesField {...props} items={schema.items} />;
  }
  if (kind === "object" && schema.properties) return <ObjectField {...props} />;
  return <JsonField {...props} />;
}

function useHint({ schema }: FieldProps): string {
  const texts = useTexts(TEXTS);
  const bounds = choicesOf(schema) ? "" : boundsOf(schema, texts.boundWords);
  return [schema.description, bounds].filter(Boolean).join(" · ");
}

function ChoiceField(props: FieldProps) {
  const hint = useHint(props);
  const texts = useTexts(TEXTS);
  const { name, schema, value, required, onValue } = props;
  const usual = schema.default === undefined || schema.default === null ? texts.notGiven : `${texts.usually} ${schema.default}`;
  const options: [string, string][] = [["", required ? texts.choose : usual], ...(choicesOf(schema) ?? []).map((choice): [string, string] => [choice, choice])];
  const real = (text: string) => schema.enum?.find((choice) => String(choice) === text);
  return (
    <SelectField label={name} required={required} hint={hint} value={value === undefined ? "" : String(value)} options={options} onValue={(text) => onValue(text === "" ? undefined : real(text))} />
  );
}

function BooleanField(props: FieldProps) {
  const { name, schema, value, onValue } = props;
  return <CheckField label={name} hint={schema.description} checked={Boolean(value ?? schema.default ?? false)} onValue={onValue} />;
}

function NumberField(props: FieldProps) {
  const hint = useHint(props);
  const { name, schema, value, required, onValue } = props;
  const whole = kindOf(schema) === "integer";
  return (
    <TextField
      label={name}
      type="number"
      required={required}
      hint={hint}
      min={schema.minimum}
      max={schema.maximum}
      step={whole ? 1 : "any"}
      placeholder={typeof schema.default === "number" ? String(schema.default) : ""}
      value={value === undefined || value === null ? "" : String(value)}
      onValue={(text) => onValue(text === "" ? undefined : Number(text))}
    />
  );
}

function StringField(props: FieldProps) {
  const hint = useHint(props);
  const { name, schema, value, required, onValue } = props;
  const current = value === undefined || value === null ? "" : String(value);
  const give = (text: string) => onValue(text === "" ? undefined : text);
  if ((schema.maxLength ?? 0) >= LONG_TEXT && LONG_NAMES.test(name)) {
    return <AreaField label={name} required={required} hint={hint} value={current} rows={3} onValue={give} />;
  }
  const usual = typeof schema.default === "string" ? schema.default : "";
  return <TextField label={name} required={required} hint={hint} value={current} placeholder={usual} maxLength={schema.maxLength} onValue={give} />;
}

/** Several choices from a short list. */
function MultiChoiceField({ name, schema, value, choices, onValue }: FieldProps & { choices: string[] }) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const toggle = (toggled: string, on: boolean) => {
    const next = choices.filter((choice) => (choice === toggled ? on : chosen.includes(choice)));
    onValue(next.length ? next : undefined);
  };
  return (
    <fieldset class="many">
      <legend>{name}</legend>
      {schema.description && <p class="hint">{schema.description}</p>}
      <div class="row">
        {choices.map((choice) => (
          <CheckField key={choice} label={choice} checked={chosen.includes(choice)} onValue={(on) => toggle(choice, on)} />
        ))}
      </div>
    </fieldset>
  );
}

/** A list of texts or numbers, one per line. Keeps the typed text, so that a new empty line does not vanish. */
function LinesField(props: FieldProps & { items: Schema }) {
  const hint = useHint(props);
  const texts = useTexts(TEXTS);
  const { name, value, required, items, onValue } = props;
  const outer = Array.isArray(value) ? value.map(String).join("\n") : "";
  const [text, setText] = useState(outer);
  const read = (typed: string) => typed.split("\n").map((line) => line.trim()).filter(Boolean);
  useEffect(() => {
    if (read(text).join("\n") !== outer) setText(outer);
  }, [outer]);
  const isNumber = kindOf(items) === "integer" || kindOf(items) === "number";
  return (
    <AreaField
      label={name}
      required={required}
      hint={[hint, texts.oneALine].filter(Boolean).join(" · ")}
      value={text}
      rows={2}
      onValue={(typed) => {
        setText(typed);
        const lines = read(typed);
        onValue(lines.length ? (isNumber ? lines.map(Number) : lines) : undefined);
      }}
    />
  );
}

function ObjectField({ name, schema, value, onValue }: FieldProps) {
  const fields = isObject(value) ? value : {};
  return (
    <details class="nested" open={isObject(value)}>
      <summary>
        {name} {schema.description && <span class="hint">{schema.description}</span>}
      </summary>
      <SchemaFields schema={schema} value={fields} onValue={(next) => onValue(Object.keys(next).length ? next : undefined)} />
    </details>
  );
}

function ObjectsField({ name, schema, value, items, onValue }: FieldProps & { items: Schema }) {
  const texts = useTexts(TEXTS);
  const rows = Array.isArray(value) ? (value as Arguments[]) : [];
  const give = (next: Arguments[]) => onValue(next.length ? next : undefined);
  return (
    <fieldset class="nested">
      <legend>{name}</legend>
      {schema.description && <p class="hint">{schema.description}</p>}
      {rows.map((item, at) => (
        <div key={at} class="nested-item">
          <SchemaFields schema={items} value={item} onValue={(next) => give(rows.map((old, place) => (place === at ? next : old)))} />
          <button type="button" onClick={() => give(rows.filter((_, place) => place !== at))}>
            {texts.remove}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => give([...rows, {}])}>
        {texts.add}
      </button>
    </fieldset>
  );
}

/** A JSON editor for what the schema does not describe. */
function JsonField(props: FieldProps) {
  const hint = useHint(props);
  const texts = useTexts(TEXTS);
  const { name, value, required, onValue } = props;
  const id = useId();
  const outer = value === undefined || value === null ? "" : JSON.stringify(value);
  const [text, setText] = useState(outer);
  const [wrong, setWrong] = useState(false);
  useEffect(() => setText(outer), [outer]);
  const leave = () => {
    try {
      onValue(text.trim() ? JSON.parse(text) : undefined);
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Field label={name} required={required} hint={hint} error={wrong ? texts.badJson : null}>
      {(ids) => (
        <textarea {...ids} key={id} class="mono" rows={2} spellcheck={false} placeholder="{}" value={text} onInput={(event) => setText(event.currentTarget.value)} onBlur={leave} />
      )}
    </Field>
  );
}
