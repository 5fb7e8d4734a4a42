// An autocomplete field with completions from the server, and a field for several such values.
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { getJson } from "../api";
import { Icon } from "./icon";

/** The prompt argument whose completions the field shows. */
export interface CompletionSource {
  prompt: string;
  argument: string;
}

const PAUSE_MS = 120;

function useCompletions(source: CompletionSource, typed: string, open: boolean): string[] {
  const [values, setValues] = useState<string[]>([]);
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const params = new URLSearchParams({ ...source, value: typed });
    const timer = setTimeout(() => {
      getJson<{ values: string[] }>(`/console/api/complete?${params}`, { signal: stop.signal }).then(
        (answer) => setValues(answer.values),
        () => stop.signal.aborted || setValues([]),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [source.prompt, source.argument, typed, open]);
  return values;
}

interface AutocompleteProps {
  label: string;
  completions: CompletionSource;
  value: string;
  onValue(value: string): void;
  onChoose(value: string): void;
  hint?: string;
  placeholder?: string;
  /** Values that are left out of the completions. */
  taken?: string[];
  onRemoveLast?: () => void;
  /** Only completions are values: Enter takes the one that the text names, else the first. */
  onlyCompletions?: boolean;
}

/** Enter chooses the highlighted completion, or the typed text; with `onlyCompletions` the nearest completion. */
export function AutocompleteField({ label, completions, value, onValue, onChoose, hint, placeholder, taken = [], onRemoveLast, onlyCompletions = false }: AutocompleteProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [highlighted, setHighlighted] = useState(-1);
  const candidates = useCompletions(completions, value, open).filter((candidate) => !taken.includes(candidate));
  const choose = (chosen: string) => {
    setOpen(false);
    setHighlighted(-1);
    if (chosen.trim()) onChoose(chosen.trim());
  };
  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setHighlighted(candidates.length ? (highlighted + step + candidates.length + (highlighted < 0 && step < 0 ? 1 : 0)) % candidates.length : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // What stands in the field, not what was drawn last: on a busy machine Enter may come before the next drawing.
      const typed = event.currentTarget.value;
      choose(candidates[highlighted] ?? (onlyCompletions ? findNearest(candidates, typed) : typed));
    } else if (event.key === "Escape") {
      setOpen(false);
    } else if (event.key === "Backspace" && value === "") {
      onRemoveLast?.();
    }
  };
  const expanded = open && candidates.length > 0;
  return (
    <div class="field offered">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={expanded}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={expanded && highlighted >= 0 ? `${id}-${highlighted}` : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          onValue(event.currentTarget.value);
          setOpen(true);
          setHighlighted(-1);
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} class="options" hidden={!expanded}>
        {candidates.map((candidate, at) => (
          <li
            key={candidate}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === highlighted}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(candidate);
            }}
          >
            {candidate}
          </li>
        ))}
      </ul>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function findNearest(candidates: string[], typed: string): string {
  const text = typed.trim().toLowerCase();
  if (!text) return "";
  return candidates.find((candidate) => candidate.toLowerCase() === text) ?? candidates.find((candidate) => candidate.toLowerCase().startsWith(text)) ?? candidates[0] ?? typed;
}

interface ChipsProps {
  label: string;
  completions: CompletionSource;
  values: string[];
  onValues(values: string[]): void;
  /** Typed text that is not chosen yet; the parent decides what to do with it. */
  typed: string;
  onTyped(typed: string): void;
  hint: string;
  remove: string;
  onlyCompletions?: boolean;
  /** What a chip shows for its value, where that is an id. */
  nameOf?: (value: string) => string;
}

export function ChipsField({ nameOf = (value) => value, label, completions, values, onValues, typed, onTyped, hint, remove, onlyCompletions = false }: ChipsProps) {
  const add = (chosen: string) => {
    onTyped("");
    if (chosen.trim() && !values.includes(chosen.trim())) onValues([...values, chosen.trim()]);
  };
  return (
    <div class="chips-field">
      <AutocompleteField
        label={label}
        completions={completions}
        value={typed}
        onValue={onTyped}
        taken={values}
        onRemoveLast={() => onValues(values.slice(0, -1))}
        onChoose={add}
        hint={hint}
        onlyCompletions={onlyCompletions}
      />
      {values.length > 0 && (
        <ul class="chips">
          {values.map((value) => (
            <li key={value}>
              <button type="button" aria-label={`${remove}: ${nameOf(value)}`} onClick={() => onValues(values.filter((other) => other !== value))}>
                {nameOf(value)} <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
