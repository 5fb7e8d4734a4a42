// A modal dialog with the native element, which traps focus, closes on Escape and restores focus.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useTexts } from "../language";
import { SHELL } from "../texts";
import { Icon } from "./icon";

export function Dialog({ title, onClose, children, wide }: { title: string; onClose(): void; children: ComponentChildren; wide?: boolean }) {
  const texts = useTexts(SHELL);
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={box} class={wide ? "wide" : ""} aria-labelledby={id} onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <div class="dialog-body">
        <div class="card-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
