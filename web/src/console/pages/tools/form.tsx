// A form made from a tool's schema. It holds no state: it shows the arguments and tells new ones.
import { useEffect, useId, useState } from "preact/hooks";
import { isBag } from "../../api";
import { useWords } from "../../language";
import { AreaField, CheckField, Field, SelectField, TextField } from "../../parts";
import { type Arguments, type Schema, boundsOf, choicesOf, kindOf, withArgument } from "./contract";
import { WORDS } from "./words";

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
          onValue={(one) => onValue(withArgument(value, name, one))}
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
    return choices ? <ManyField {...props} choices={choices} /> : <LinesField {...props} items={schema.items} />;
  }
  if (kind === "object" && schema.properties) return <ObjectField {...props} />;
  return <JsonField {...props} />;
}

function told({ schema }: FieldProps): string {
  const bounds = choicesOf(schema) ? "" : boundsOf(schema);
  return [schema.description, bounds].filter(Boolean).join(" · ");
}

function ChoiceField(props: FieldProps) {
  const words = useWords(WORDS);
  const { name, schema, value, required, onValue } = props;
  const usual = schema.default === undefined || schema.default === null ? words.notGiven : `${words.usually} ${schema.default}`;
  const options: [string, string][] = [["", required ? words.choose : usual], ...(choicesOf(schema) ?? []).map((one): [string, string] => [one, one])];
  const real = (text: string) => schema.enum?.find((one) => String(one) === text);
  return (
    <SelectField label={name} required={required} hint={told(props)} value={value === undefined ? "" : String(value)} options={options} onValue={(text) => onValue(text === "" ? undefined : real(text))} />
  );
}

function BooleanField(props: FieldProps) {
  const { name, schema, value, onValue } = props;
  return <CheckField label={name} hint={schema.description} checked={Boolean(value ?? schema.default ?? false)} onValue={onValue} />;
}

function NumberField(props: FieldProps) {
  const { name, schema, value, required, onValue } = props;
  const whole = kindOf(schema) === "integer";
  return (
    <TextField
      label={name}
      type="number"
      required={required}
      hint={told(props)}
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
  const { name, schema, value, required, onValue } = props;
  const given = value === undefined || value === null ? "" : String(value);
  const give = (text: string) => onValue(text === "" ? undefined : text);
  if ((schema.maxLength ?? 0) >= LONG_TEXT && LONG_NAMES.test(name)) {
    return <AreaField label={name} required={required} hint={told(props)} value={given} rows={3} onValue={give} />;
  }
  const usual = typeof schema.default === "string" ? schema.default : "";
  return <TextField label={name} required={required} hint={told(props)} value={given} placeholder={usual} maxLength={schema.maxLength} onValue={give} />;
}

/** Some of a few choices. */
function ManyField({ name, schema, value, choices, onValue }: FieldProps & { choices: string[] }) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const toggle = (one: string, on: boolean) => {
    const next = choices.filter((choice) => (choice === one ? on : chosen.includes(choice)));
    onValue(next.length ? next : undefined);
  };
  return (
    <fieldset class="many">
      <legend>{name}</legend>
      {schema.description && <p class="hint">{schema.description}</p>}
      <div class="row">
        {choices.map((one) => (
          <CheckField key={one} label={one} checked={chosen.includes(one)} onValue={(on) => toggle(one, on)} />
        ))}
      </div>
    </fieldset>
  );
}

/** A list of texts or numbers, one a line. The lines are kept as typed, so that an empty one can be begun. */
function LinesField(props: FieldProps & { items: Schema }) {
  const words = useWords(WORDS);
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
      hint={[told(props), words.oneALine].filter(Boolean).join(" · ")}
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
  const given = isBag(value) ? value : {};
  return (
    <details class="nested" open={isBag(value)}>
      <summary>
        {name} {schema.description && <span class="hint">{schema.description}</span>}
      </summary>
      <SchemaFields schema={schema} value={given} onValue={(next) => onValue(Object.keys(next).length ? next : undefined)} />
    </details>
  );
}

function ObjectsField({ name, schema, value, items, onValue }: FieldProps & { items: Schema }) {
  const words = useWords(WORDS);
  const given = Array.isArray(value) ? (value as Arguments[]) : [];
  const give = (next: Arguments[]) => onValue(next.length ? next : undefined);
  return (
    <fieldset class="nested">
      <legend>{name}</legend>
      {schema.description && <p class="hint">{schema.description}</p>}
      {given.map((one, at) => (
        <div key={at} class="nested-item">
          <SchemaFields schema={items} value={one} onValue={(next) => give(given.map((old, place) => (place === at ? next : old)))} />
          <button type="button" onClick={() => give(given.filter((_, place) => place !== at))}>
            {words.remove}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => give([...given, {}])}>
        {words.add}
      </button>
    </fieldset>
  );
}

/** What the schema leaves open. */
function JsonField(props: FieldProps) {
  const words = useWords(WORDS);
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
    <Field label={name} required={required} hint={told(props)} error={wrong ? words.badJson : null}>
      {(ids) => (
        <textarea {...ids} key={id} class="mono" rows={2} spellcheck={false} placeholder="{}" value={text} onInput={(event) => setText(event.currentTarget.value)} onBlur={leave} />
      )}
    </Field>
  );
}
