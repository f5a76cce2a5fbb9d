/** Scrolls to the selected quote, and announces it to screen readers. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../parts/announce.ts";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";

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
    mark.scrollIntoView({ block: "center" });
    announce(words.run.marked);
  }, [chosenAt, isThere]);
  return box;
};
