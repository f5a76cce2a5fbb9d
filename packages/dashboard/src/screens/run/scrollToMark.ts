/** Scrolls to the selected quote, and announces it to screen readers. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";

/** Bottom of the head that sticks to the top and covers what is below it, in pixels from the top of the window. */
export const headBottom = (): number => document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;

/** Scrolls the page, unless all of the element is visible below the head. */
export const bringIntoView = (element: Element | null): void => {
  if (element === null) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= headBottom() && bottom <= innerHeight) return;
  element.scrollIntoView({ block: "center" });
};

/** Ref of the element with the text of `source`; `isThere` once it is rendered. */
export const useScrollToMark = <Element extends HTMLElement>(
  source: string,
  { quote, chosenAt }: Player,
  isThere = true
): RefObject<Element> => {
  const box = useRef<Element>(null);
  useEffect(() => {
    const mark = quote?.source === source ? box.current?.querySelector("mark") : null;
    if (mark == null) return;
    const details = mark.closest("details");
    if (details !== null) details.open = true;
    mark.scrollIntoView({ block: "center" });
    announce(words.run.marked);
  }, [chosenAt, isThere]);
  return box;
};
