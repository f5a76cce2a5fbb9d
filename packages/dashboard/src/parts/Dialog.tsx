/**
 * A native dialog, which traps and restores the focus; and dialogs that confirm, have a form, or show a secret once.
 * Tests: batches.test.ts, browser.test.ts.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { secretWords, words } from "../words/words.ts";
import { Code } from "./Copy.tsx";
import { Form, type ValueOf } from "./Form.tsx";

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

interface AskProps<Answer> {
  readonly title: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The dialog closes after it, and stays with the error if it fails. */
  readonly does: (valueOf: ValueOf) => Promise<Answer>;
  readonly then?: (answer: Answer) => void;
  readonly onClose: () => void;
  readonly isDisabled?: boolean;
  /** What closes it, where `Cancel` would be misread as the action. */
  readonly keep?: string | undefined;
  readonly children: ComponentChildren;
}

/** Asks before an action, or for what it needs: the first field has the focus, or else the safe button. */
export const Ask = <Answer,>(props: AskProps<Answer>) => {
  const { title, action, isDangerous = true, does, then, onClose, isDisabled, keep, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class="stack"
        onSubmit={async (valueOf) => {
          const answer = await does(valueOf);
          onClose();
          then?.(answer);
        }}
      >
        {children}
        <div class="row end">
          <button class="button" type="button" onClick={onClose}>
            {keep ?? words.cancel}
          </button>
          <button class={isDangerous ? "button danger" : "button main"} type="submit" disabled={isDisabled}>
            {action}
          </button>
        </div>
      </Form>
    </Dialog>
  );
};

// A secret is shown only once: until the user confirms that they saved it.

export interface Secret {
  readonly title: string;
  readonly secret: string;
  /** How it is used. */
  readonly children?: ComponentChildren;
}

const SecretOnce = ({ title, secret, onKept, children }: Secret & { readonly onKept: () => void }) => (
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

interface AskButtonProps<Answer> extends Omit<AskProps<Answer>, "onClose" | "title"> {
  /** Of the dialog; that of the action without one. */
  readonly title?: string;
  /** On the button; that of the action without one. */
  readonly label?: ComponentChildren;
  readonly kind?: string;
  readonly tooltip?: string;
  /** What is shown once then; null if there is none. */
  readonly secretOf?: (answer: Answer) => Secret | null;
}

/** A button whose action is asked about first. */
export const AskButton = <Answer,>(props: AskButtonProps<Answer>) => {
  const { label = props.action, kind = "button", tooltip, secretOf, then, ...ask } = props;
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const done = (answer: Answer): void => {
    setSecret(secretOf?.(answer) ?? null);
    then?.(answer);
  };
  return (
    <>
      <button class={kind} type="button" title={tooltip} onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking ? <Ask title={ask.action} {...ask} then={done} onClose={() => setAsking(false)} /> : null}
      {secret === null ? null : <SecretOnce {...secret} onKept={() => setSecret(null)} />}
    </>
  );
};
