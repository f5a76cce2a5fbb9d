/** Short notifications, also for screen readers, and the time in which an action can be undone. */
import { useEffect, useState } from "preact/hooks";
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

/** The newest: somebody who checks values fast makes many. */
const SHOWN_MAX = 3;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => void) | null;
  readonly countdown: Countdown;
}

/** The time for which a notification is shown. */
interface Countdown {
  /** Stops it while the notification has the pointer or the focus (WCAG 2.2.1). */
  readonly hold: () => void;
  /** Starts it anew, unless it is over. */
  readonly release: () => void;
  readonly end: () => void;
}

let toasts: ReadonlyArray<Toast> = [];
let last = 0;
let draw: (toasts: ReadonlyArray<Toast>) => void = () => undefined;

const put = (next: ReadonlyArray<Toast>): void => {
  toasts = next;
  draw(next);
};

const drop = (id: number): void => put(toasts.filter((toast) => toast.id !== id));

const countDown = (whenOver: () => void): Countdown => {
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    isOver = true;
  };
  const start = () =>
    setTimeout(() => {
      end();
      whenOver();
    }, NOTE_MS);
  let timer = start();
  const hold = (): void => clearTimeout(timer);
  const release = (): void => {
    hold();
    if (!isOver) timer = start();
  };
  return { hold, release, end };
};

const show = (toast: Omit<Toast, "id">): number => {
  last += 1;
  put([...toasts, { id: last, ...toast }]);
  announce(toast.text);
  return last;
};

export const note = (text: string): void => {
  const countdown = countDown(() => drop(id));
  const id = show({ text, undo: null, countdown });
};

/** For actions that have no place for what goes wrong. */
export const noteError = (error: Error): void => note(error.message);

/** Runs `act` after five seconds, or when the page closes, unless it is undone before. */
export const undoable = (text: string, act: () => void, undo: () => void): void => {
  const finish = (): void => {
    countdown.end();
    removeEventListener("pagehide", onLeave);
    drop(id);
  };
  const onLeave = (): void => {
    finish();
    act();
  };
  const onUndo = (): void => {
    finish();
    undo();
  };
  const countdown = countDown(onLeave);
  const id = show({ text, undo: onUndo, countdown });
  addEventListener("pagehide", onLeave);
};

export const undoLast = (): void => toasts.findLast(({ undo }) => undo !== null)?.undo?.();

export const Toasts = () => {
  const [visible, setShown] = useState(toasts);
  useEffect(() => {
    draw = setShown;
  }, []);
  return (
    <section class="toasts" aria-label={words.notes}>
      {visible.slice(-SHOWN_MAX).map((toast) => (
        <div
          class="toast"
          key={toast.id}
          onMouseEnter={toast.countdown.hold}
          onMouseLeave={({ currentTarget }) => {
            if (!currentTarget.matches(":focus-within")) toast.countdown.release();
          }}
          onFocusIn={toast.countdown.hold}
          onFocusOut={({ currentTarget }) => {
            if (!currentTarget.matches(":hover")) toast.countdown.release();
          }}
        >
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
