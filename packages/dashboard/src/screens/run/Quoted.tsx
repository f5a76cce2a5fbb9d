/** A text with marked ranges: the words of the selected quote, or those of a search. Tests: browser.test.ts, states.test.ts. */
import type { EvidenceItem } from "@winnow/client";
import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../parts/Toasts.tsx";
import { findQuote, type Range } from "./marks.ts";
import { bringIntoView, usePlayer } from "./player.tsx";
import { runWords } from "./words.ts";

interface MarkedProps {
  readonly text: string;
  /** Sorted and without overlaps. */
  readonly ranges: ReadonlyArray<Range>;
}

export const Marked = ({ text, ranges }: MarkedProps) => (
  <>
    {ranges.map(({ start, end }, index) => [
      text.slice(ranges[index - 1]?.end ?? 0, start),
      <mark>{text.slice(start, end)}</mark>
    ])}
    {text.slice(ranges.at(-1)?.end ?? 0)}
  </>
);

/** A text of which a range is words of the selected quote: the first ones on the page are scrolled to. */
export const MarkedQuote = ({ text, start, end }: Range & { readonly text: string }) => {
  const player = usePlayer();
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (mark.current !== document.querySelector("mark[data-chosen]")) return;
    const details = mark.current?.closest("details");
    if (details != null) details.open = true;
    const box = mark.current?.closest(".prose");
    const { top = 0 } = mark.current?.getBoundingClientRect() ?? {};
    // The page only follows where the text is out of sight: the value stays beside its words.
    if (box != null) box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 3;
    bringIntoView(mark.current);
    announce(runWords.marked);
  }, [player]);
  return (
    <>
      {text.slice(0, start)}
      <mark ref={mark} data-chosen>
        {text.slice(start, end)}
      </mark>
      {text.slice(end)}
    </>
  );
};

interface QuotedProps {
  readonly text: string;
  /** What is true of a quote from this text. */
  readonly of: Partial<EvidenceItem>;
}

/** One text of a source; all of it is marked if it shows the place of the quote in other words, as dates are. */
export const Quoted = ({ text, of }: QuotedProps) => {
  const { quote } = usePlayer();
  const names = Object.keys(of) as ReadonlyArray<keyof EvidenceItem>;
  if (quote === null || names.some((name) => quote[name] !== of[name])) return <>{text}</>;
  const whole = of.pointer === undefined ? null : { start: 0, end: text.length };
  const range = findQuote(text, quote.quote) ?? whole;
  return range === null ? <>{text}</> : <MarkedQuote text={text} {...range} />;
};
