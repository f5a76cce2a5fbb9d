/** A text without times: of a page, or a description. A quote from it is highlighted and scrolled to. */
import { useMemo } from "preact/hooks";
import { useScrollToMark } from "./scrolling.tsx";
import { findQuote, type Range } from "./marks.ts";
import { Marked } from "./Marked.tsx";
import type { Player } from "./player.ts";

export interface PlainTextProps {
  readonly title: string;
  readonly text: string;
  /** The source named by the evidence. */
  readonly source: string;
  readonly player: Player;
}

interface Paragraph {
  readonly text: string;
  readonly start: number;
}

const paragraphsOf = (text: string): ReadonlyArray<Paragraph> => {
  const paragraphs: Array<Paragraph> = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.trim() !== "") paragraphs.push({ text: line, start });
    start += line.length + 1;
  }
  return paragraphs;
};

const within = ({ text, start }: Paragraph, range: Range | null): ReadonlyArray<Range> => {
  if (range === null) return [];
  const part = { start: Math.max(0, range.start - start), end: Math.min(text.length, range.end - start) };
  return part.end > part.start ? [part] : [];
};

export const PlainText = ({ title, text, source, player }: PlainTextProps) => {
  const box = useScrollToMark<HTMLDivElement>(source, player);
  const { quote } = player;
  const paragraphs = useMemo(() => paragraphsOf(text), [text]);
  const range = useMemo(
    () => (quote?.source === source ? findQuote(text, quote.quote) : null),
    [text, quote, source]
  );
  return (
    <section class="panel stack tight" aria-label={title}>
      <h2>{title}</h2>
      <div ref={box} class="prose" tabIndex={0} role="group" aria-label={title}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph.start} dir="auto">
            <Marked text={paragraph.text} ranges={within(paragraph, range)} />
          </p>
        ))}
      </div>
    </section>
  );
};
