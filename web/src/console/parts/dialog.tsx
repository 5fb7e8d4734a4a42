// The browser's own dialog: it keeps the focus inside, closes with Escape, and gives the focus back.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useWords } from "../language";
import { SHELL } from "../words";
import { Icon } from "./icon";

export function Dialog({ title, onClose, children, wide }: { title: string; onClose(): void; children: ComponentChildren; wide?: boolean }) {
  const words = useWords(SHELL);
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = box.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={box} class={wide ? "wide" : ""} aria-labelledby={id} onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <div class="dialog-body">
        <div class="card-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label={words.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
