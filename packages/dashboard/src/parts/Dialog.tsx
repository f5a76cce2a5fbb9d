/** A native dialog, which traps and restores the focus; and dialogs that confirm, have a form, or show a secret once. */
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

interface ConfirmButtonProps<Answer> extends Omit<AskProps<Answer>, "onClose"> {
  readonly label: ComponentChildren;
  readonly kind?: string;
  readonly tooltip?: string;
}

/** A button whose action is confirmed first. */
export const ConfirmButton = <Answer,>(props: ConfirmButtonProps<Answer>) => {
  const { label, kind = "button", tooltip, ...confirm } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button class={kind} type="button" title={tooltip} onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking ? <Ask {...confirm} onClose={() => setAsking(false)} /> : null}
    </>
  );
};

// Making what may have a secret, which is shown only once: until the user confirms that they saved it.

export interface Secret {
  readonly title: string;
  readonly secret: string;
  /** How it is used. */
  readonly children?: ComponentChildren;
}

export const SecretOnce = ({ title, secret, onKept, children }: Secret & { readonly onKept: () => void }) => (
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

interface MakeButtonProps<Made> {
  readonly label: string;
  readonly kind?: string;
  readonly does: (valueOf: ValueOf) => Promise<Made>;
  readonly then: (made: Made) => void;
  /** Null if it has none to show. */
  readonly secretOf?: (made: Made) => Secret | null;
  /** The fields of its form. */
  readonly children: ComponentChildren;
}

/** A button with the form that makes it, or changes it. */
export const MakeButton = <Made,>({
  label,
  kind = "button main",
  does,
  then,
  secretOf = () => null,
  children
}: MakeButtonProps<Made>) => {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const made = (answer: Made): void => {
    setSecret(secretOf(answer));
    then(answer);
  };
  return (
    <>
      <button class={kind} type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? (
        <Ask
          title={label}
          action={label}
          isDangerous={false}
          does={does}
          then={made}
          onClose={() => setOpen(false)}
        >
          {children}
        </Ask>
      ) : null}
      {secret === null ? null : <SecretOnce {...secret} onKept={() => setSecret(null)} />}
    </>
  );
};
