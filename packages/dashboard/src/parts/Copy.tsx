/** Copies a text and confirms it. Tests: runActions.test.ts. */
import { useState } from "preact/hooks";
import { words } from "../words/words.ts";
import { announce } from "./Toasts.tsx";

/** How long the button says that it copied. */
const CONFIRMED_MS = 2_000;

/** Where the page came over plain http, browsers have no clipboard: it is copied as by hand. */
export const copyText = async (text: string): Promise<void> => {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  // Outside of an open dialog, nothing can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
};

export const CopyButton = ({
  text,
  label = words.copy
}: {
  readonly text: string;
  readonly label?: string;
}) => {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setDone(true);
    announce(words.copied);
    setTimeout(() => setDone(false), CONFIRMED_MS);
  };
  return (
    <button class="button small" type="button" onClick={() => void copy()}>
      {isDone ? words.copied : label}
    </button>
  );
};

interface CodeProps {
  readonly code: string;
  readonly label: string;
  /** What the button copies, where it is not the code as shown. */
  readonly copied?: string;
}

/** Code with a copy button. */
export const Code = ({ code, label, copied = code }: CodeProps) => (
  <div class="code">
    <pre tabIndex={0} aria-label={label}>
      <code dir="ltr">{code}</code>
    </pre>
    <CopyButton text={copied} />
  </div>
);
