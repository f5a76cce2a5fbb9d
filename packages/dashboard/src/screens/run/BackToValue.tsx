/** The words of a quote may be far from the value: a way back, while the value is out of sight. */
import { useEffect, useState } from "preact/hooks";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";
import { headBottom } from "./scrollToMark.ts";

const chosenQuote = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-quote][aria-pressed="true"]');

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
