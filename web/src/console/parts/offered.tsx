// A field that offers what the server knows while somebody types, and one that gathers several such values.
import { useEffect, useId, useState } from "preact/hooks";
import { getJson } from "../api";
import { Icon } from "./icon";

/** Which prompt's argument completes the field: the server has one list of them for every client. */
export interface Offer {
  prompt: string;
  argument: string;
}

const PAUSE_MS = 120;

function useOffered(offer: Offer, typed: string, open: boolean): string[] {
  const [values, setValues] = useState<string[]>([]);
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const asked = new URLSearchParams({ ...offer, value: typed });
    const timer = setTimeout(() => {
      getJson<{ values: string[] }>(`/console/api/complete?${asked}`, { signal: stop.signal }).then(
        (found) => setValues(found.values),
        () => stop.signal.aborted || setValues([]),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [offer.prompt, offer.argument, typed, open]);
  return values;
}

interface OfferedProps {
  label: string;
  offer: Offer;
  value: string;
  onValue(value: string): void;
  onChoose(value: string): void;
  hint?: string;
  placeholder?: string;
  /** Values that are not offered again. */
  taken?: string[];
  onRemoveLast?: () => void;
}

/** Enter takes the value that is lit, or what was typed. */
export function OfferedField({ label, offer, value, onValue, onChoose, hint, placeholder, taken = [], onRemoveLast }: OfferedProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [lit, setLit] = useState(-1);
  const offered = useOffered(offer, value, open).filter((one) => !taken.includes(one));
  const choose = (chosen: string) => {
    setOpen(false);
    setLit(-1);
    if (chosen.trim()) onChoose(chosen.trim());
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setLit(offered.length ? (lit + step + offered.length + (lit < 0 && step < 0 ? 1 : 0)) % offered.length : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(offered[lit] ?? value);
    } else if (event.key === "Escape") {
      setOpen(false);
    } else if (event.key === "Backspace" && value === "") {
      onRemoveLast?.();
    }
  };
  const shown = open && offered.length > 0;
  return (
    <div class="field offered">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && lit >= 0 ? `${id}-${lit}` : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          onValue(event.currentTarget.value);
          setOpen(true);
          setLit(-1);
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} class="options" hidden={!shown}>
        {offered.map((one, at) => (
          <li
            key={one}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === lit}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(one);
            }}
          >
            {one}
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

interface ChipsProps {
  label: string;
  offer: Offer;
  values: string[];
  onValues(values: string[]): void;
  /** What stands in the field and is not chosen yet: whoever uses the values decides what becomes of it. */
  typed: string;
  onTyped(typed: string): void;
  hint: string;
  remove: string;
}

export function ChipsField({ label, offer, values, onValues, typed, onTyped, hint, remove }: ChipsProps) {
  const add = (chosen: string) => {
    onTyped("");
    if (chosen.trim() && !values.includes(chosen.trim())) onValues([...values, chosen.trim()]);
  };
  return (
    <div class="chips-field">
      <OfferedField
        label={label}
        offer={offer}
        value={typed}
        onValue={onTyped}
        taken={values}
        onRemoveLast={() => onValues(values.slice(0, -1))}
        onChoose={add}
        hint={hint}
      />
      {values.length > 0 && (
        <ul class="chips">
          {values.map((value) => (
            <li key={value}>
              <button type="button" aria-label={`${remove}: ${value}`} onClick={() => onValues(values.filter((one) => one !== value))}>
                {value} <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
