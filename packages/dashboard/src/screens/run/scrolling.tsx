/** Between a value and its quote: scrolls to the selected quote, announces it, and offers the way back. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../parts/Toasts.tsx";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";

/** Bottom of the head that sticks to the top and covers what is below it, in pixels from the top of the window. */
const headBottom = (): number => document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;

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

const chosenQuote = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-quote][aria-pressed="true"]');

/** The words of a quote may be far from the value: a way back, while the value is out of sight. */
export const BackToValue = ({ player }: { readonly player: Player }) => {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const quote = chosenQuote();
    if (quote === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), {
      rootMargin: `-${headBottom()}px 0px 0px`
    });
    observer.observe(quote);
    return () => observer.disconnect();
  }, [player.chosenAt]);
  const back = (): void => {
    const quote = chosenQuote();
    quote?.scrollIntoView({ block: "center" });
    quote?.focus({ preventScroll: true });
  };
  return isAway ? (
    <button class="button back-to-value" type="button" onClick={back}>
      {words.run.backToValue}
    </button>
  ) : null;
};
