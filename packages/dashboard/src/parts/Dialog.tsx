/** A native dialog, which traps and restores the focus; and dialogs that confirm, or show a secret once. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { secretWords } from "../words/laterWords.ts";
import { words } from "../words/words.ts";
import { Code } from "./Copy.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** A dialog with a secret must not be closed accidentally by a key or a click outside. */
  readonly isFirm?: boolean;
}

export const Dialog = ({ title, onClose, children, isFirm = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // It is read from its start, which the focus on a button at its end scrolls away.
    element?.scrollTo(0, 0);
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !isFirm) onClose();
      }}
    >
      <div class="dialog-body stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Confirms irreversible actions; the safe button has the focus. */
export const Confirm = ({ title, action, isBusy, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <div class="row end">
      <button class="button" type="button" onClick={onClose}>
        {words.cancel}
      </button>
      <button class="button danger" type="button" disabled={isBusy} onClick={onConfirm}>
        {action}
      </button>
    </div>
  </Dialog>
);

// A secret that is shown only once: closes only after the user confirms that they saved it.

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly onKept: () => void;
  /** How it is used. */
  readonly children?: ComponentChildren;
}

export const SecretOnce = ({ title, secret, onKept, children }: SecretOnceProps) => (
  <Dialog title={title} onClose={onKept} isFirm>
    <p>{secretWords.once}</p>
    <Code code={secret} label={title} />
    {children}
    <div class="row end">
      <button class="button main" type="button" onClick={onKept}>
        {secretWords.kept}
      </button>
    </div>
  </Dialog>
);
