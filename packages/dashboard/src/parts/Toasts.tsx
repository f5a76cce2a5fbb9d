/** Short notifications, also for screen readers, and the time in which an action can be undone. Tests: lists.test.ts, manyTabs.test.ts. */
import { useLayoutEffect, useState } from "preact/hooks";
import { watched } from "../data/watched.ts";
import { words } from "../words/words.ts";

const REPEAT_MS = 50;

/** Announces a sentence to screen readers. */
export const announce = (sentence: string): void => {
  const region = document.getElementById("announcer");
  if (region === null) return;
  // The same sentence is only announced again if it was removed in between.
  region.textContent = "";
  setTimeout(() => {
    region.textContent = sentence;
  }, REPEAT_MS);
};

const NOTE_MS = 5_000;

interface Toast {
  readonly id: number;
  readonly text: string;
  /** When its time is over. */
  readonly act: () => void;
  readonly undo: (() => void) | null;
}

const toasts = watched<ReadonlyArray<Toast>>([]);
let last = 0;

/** Nothing if it has ended before. */
const end = (toast: Toast, then: () => void): void => {
  const shown = toasts.get();
  if (!shown.includes(toast)) return;
  toasts.set(shown.filter((each) => each !== toast));
  then();
};

const endAll = (): void => {
  for (const toast of toasts.get()) end(toast, toast.act);
};

/** Runs `act` after five seconds, or when the page closes, unless it is undone before. */
export const undoable = (text: string, act: () => void, undo: Toast["undo"]): void => {
  last += 1;
  toasts.set([...toasts.get(), { id: last, text, act, undo }]);
  announce(text);
};

export const note = (text: string): void => undoable(text, () => undefined, null);

/** For actions that have no place for what goes wrong. */
export const noteError = (error: Error): void => note(error.message);

const undoOf = (toast: Toast): void => end(toast, toast.undo ?? toast.act);

export const undoLast = (): void => {
  const toast = toasts.get().findLast(({ undo }) => undo !== null);
  if (toast !== undefined) undoOf(toast);
};

/** Its time stands still while it has the pointer or the focus (WCAG 2.2.1), and then begins anew. */
const Shown = ({ toast }: { readonly toast: Toast }) => {
  const [isHeld, hold] = useState(false);
  useLayoutEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => end(toast, toast.act), NOTE_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return (
    <div
      class="toast"
      onMouseEnter={() => hold(true)}
      onMouseLeave={({ currentTarget }) => hold(currentTarget.matches(":focus-within"))}
      onFocusIn={() => hold(true)}
      onFocusOut={({ currentTarget }) => hold(currentTarget.matches(":hover"))}
    >
      <p>{toast.text}</p>
      {toast.undo === null ? null : (
        <button class="button small" type="button" onClick={() => undoOf(toast)}>
          {words.undo}
        </button>
      )}
    </div>
  );
};

export const Toasts = () => {
  useLayoutEffect(() => addEventListener("pagehide", endAll), []);
  return (
    <section class="toasts stack tight" aria-label={words.notes}>
      {toasts.useValue().map((toast) => (
        <Shown key={toast.id} toast={toast} />
      ))}
    </section>
  );
};
