/** Short notifications, and the time in which an action can be undone. */
import { useEffect, useState } from "preact/hooks";
import { words } from "../words/words.ts";
import { announce } from "./announce.ts";

const NOTE_MS = 5_000;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => void) | null;
}

let toasts: ReadonlyArray<Toast> = [];
let last = 0;
let draw: (toasts: ReadonlyArray<Toast>) => void = () => undefined;

const put = (next: ReadonlyArray<Toast>): void => {
  toasts = next;
  draw(next);
};

const drop = (id: number): void => put(toasts.filter((toast) => toast.id !== id));

const show = (text: string, undo: (() => void) | null): number => {
  last += 1;
  put([...toasts, { id: last, text, undo }]);
  announce(text);
  return last;
};

export const note = (text: string): void => {
  const id = show(text, null);
  setTimeout(() => drop(id), NOTE_MS);
};

/** Runs `act` after five seconds, or when the page closes, unless it is undone before. */
export const undoable = (text: string, act: () => void, undo: () => void): void => {
  const finish = (): void => {
    clearTimeout(timer);
    removeEventListener("pagehide", onLeave);
    drop(id);
  };
  const onLeave = (): void => {
    finish();
    act();
  };
  const id = show(text, () => {
    finish();
    undo();
  });
  const timer = setTimeout(onLeave, NOTE_MS);
  addEventListener("pagehide", onLeave);
};

export const Toasts = () => {
  const [visible, setShown] = useState(toasts);
  useEffect(() => {
    draw = setShown;
  }, []);
  return (
    <section class="toasts" aria-label={words.notes}>
      {visible.map((toast) => (
        <div class="toast" key={toast.id}>
          <p>{toast.text}</p>
          {toast.undo === null ? null : (
            <button class="button small" type="button" onClick={toast.undo}>
              {words.undo}
            </button>
          )}
        </div>
      ))}
    </section>
  );
};
