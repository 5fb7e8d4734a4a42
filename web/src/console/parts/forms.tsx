// Labelled form controls. All are controlled: they report changes and hold no state.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | null;
  required?: boolean;
  children(ids: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined }): ComponentChildren;
}

/** Connects a label, a hint and an error to the control inside. */
export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required && <span class="required" aria-hidden="true"> *</span>}
      </label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="problem" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type Typed = Omit<FieldProps, "children"> & {
  value: string;
  onValue(value: string): void;
  type?: "text" | "search" | "number" | "password" | "date" | "datetime-local";
  placeholder?: string;
  min?: number | string | undefined;
  max?: number | string | undefined;
  step?: number | "any" | undefined;
  maxLength?: number | undefined;
  list?: string[] | undefined;
  autoFocus?: boolean;
};

export function TextField({ value, onValue, type = "text", placeholder, min, max, step, maxLength, list, autoFocus, ...field }: Typed) {
  // The types allow `list` only for some input types and want a literal type.
  const kind = (id: string) => ({ type, list: list ? `${id}-list` : undefined }) as { type: "text"; list?: string };
  return (
    <Field {...field}>
      {(ids) => (
        <>
          <input
            {...ids}
            {...kind(ids.id)}
            value={value}
            placeholder={placeholder}
            min={min}
            max={max}
            step={step}
            maxLength={maxLength}
            required={field.required}
            autoFocus={autoFocus}
            autoComplete="off"
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          {list && (
            <datalist id={`${ids.id}-list`}>
              {list.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export function AreaField({ value, onValue, rows = 4, code, ...field }: Omit<FieldProps, "children"> & { value: string; onValue(value: string): void; rows?: number; code?: boolean }) {
  return (
    <Field {...field}>
      {(ids) => (
        <textarea
          {...ids}
          class={code ? "mono" : ""}
          rows={rows}
          spellcheck={!code}
          value={value}
          required={field.required}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function SelectField({ value, onValue, options, ...field }: Omit<FieldProps, "children"> & { value: string; onValue(value: string): void; options: (string | [string, string])[] }) {
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map((option) => {
            const [name, title] = typeof option === "string" ? [option, option] : option;
            return (
              <option key={name} value={name} selected={name === value}>
                {title}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

export function CheckField({ label, hint, checked, onValue }: { label: string; hint?: ComponentChildren; checked: boolean; onValue(value: boolean): void }) {
  const id = useId();
  return (
    <div class="field check">
      <input id={id} type="checkbox" checked={checked} aria-describedby={hint ? `${id}-hint` : undefined} onChange={(event) => onValue(event.currentTarget.checked)} />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A group of toggle buttons with one active choice. */
export function Choices<Name extends string>({ label, value, options, onValue }: { label: string; value: Name; options: [Name, ComponentChildren][]; onValue(value: NoInfer<Name>): void }) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {options.map(([name, title]) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onValue(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}
