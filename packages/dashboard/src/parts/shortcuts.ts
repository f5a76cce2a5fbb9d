/**
 * Shortcuts. Those of a single key work only outside of fields, and can be disabled (WCAG 2.1.4).
 * Tests: runActions.test.ts, everyday.test.ts.
 */
import { useEffect, useRef } from "preact/hooks";

const STORAGE_KEY = "winnow.shortcuts";

export const shortcutsAreOn = (): boolean => localStorage.getItem(STORAGE_KEY) !== "off";
export const setShortcuts = (isOn: boolean): void => localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");

/** Where single keys are typed; a checkbox only takes the space bar. */
const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

/** Keys that a focused control or a player uses itself. */
const isTaken = (target: EventTarget | undefined, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false;
  if (key === " ") return target.closest("button, summary, video, audio, input") !== null;
  if (key === "Enter") return target.closest("button, a, summary") !== null;
  return key.startsWith("Arrow") && target.closest("video, audio, [role=tablist]") !== null;
};

/** By `KeyboardEvent.key`; `Control+k` also for the command key, in fields too, and never off. */
type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export const useShortcuts = (shortcuts: Shortcuts): void => {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCombined = event.metaKey || event.ctrlKey;
      // With Caps Lock, `K` without the shift key.
      const key = event.shiftKey ? event.key : event.key.toLowerCase();
      const name = isCombined ? `Control+${key}` : event.key;
      const act = Object.hasOwn(current.current, name) ? current.current[name] : undefined;
      if (act === undefined || event.defaultPrevented || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      // Within a shadow tree too, such as that of the editor of JSON.
      const [target] = event.composedPath();
      if (!isCombined && (isField(target) || isTaken(target, event.key))) return;
      if (!isCombined && event.key !== "Escape" && !shortcutsAreOn()) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
};
