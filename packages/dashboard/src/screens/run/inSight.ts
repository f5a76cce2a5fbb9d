/** Brings the marked words of a chosen quote into sight, and says so to whoever hears the page. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../../parts/announce.ts";
import { words } from "../../words/words.ts";
import type { Player } from "./player.ts";

/** Of the element that holds the text of `source`; `isThere` once it does. */
export const useMarkInSight = <Element extends HTMLElement>(
  source: string,
  { quote, chosenAt }: Player,
  isThere = true
): RefObject<Element> => {
  const box = useRef<Element>(null);
  useEffect(() => {
    const mark = quote?.source === source ? box.current?.querySelector("mark") : null;
    if (mark == null) return;
    mark.scrollIntoView({ block: "center" });
    say(words.run.marked);
  }, [chosenAt, isThere]);
  return box;
};
