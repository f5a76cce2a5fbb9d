/**
 * Texts without times: of a page with its layout (headings, lists, tables, links), or plain. A quote is marked in them
 * and scrolled to.
 */
import { cloneElement } from "preact";
import { useMemo } from "preact/hooks";
import type { CompleteResult } from "@winnow/client";
import { useText } from "../../data/extractions.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { readMarkdown, type Drawn } from "./markdown.tsx";
import { findQuote, within, type Range } from "./marks.ts";
import { usePlayer } from "./player.tsx";
import { MarkedQuote } from "./Quoted.tsx";
import { runWords } from "./words.ts";

/** Elements in a line of text; others end it, so that words of two blocks or cells are apart. */
const IN_LINE: ReadonlySet<unknown> = new Set(["strong", "em", "del", "a", "code"]);

/** A drawn text with each of its pieces replaced by what `draw` makes of it and of its place in the text. */
const redrawn = (drawn: Drawn, draw: (piece: string, from: number) => Drawn): Drawn => {
  let from = 0;
  const walk = (at: Drawn): Drawn => {
    if (typeof at === "string") {
      from += at.length;
      return draw(at, from - at.length);
    }
    if (!("props" in at)) return at.map(walk);
    const { children } = at.props;
    const copy = children === undefined ? at : cloneElement(at, {}, walk(children));
    if (!IN_LINE.has(at.type)) from += 1;
    return copy;
  };
  return walk(drawn);
};

export const rangeOf = (drawn: Drawn, quote: string): Range | null => {
  const text: Array<string> = [];
  let length = 0;
  redrawn(drawn, (piece, from) => {
    text.push("\n".repeat(from - length), piece);
    length = from + piece.length;
    return piece;
  });
  return findQuote(text.join(""), quote);
};

const withMark = (drawn: Drawn, range: Range): Drawn =>
  redrawn(drawn, (text, from) => {
    const mark = within(range, from, text.length);
    return mark === undefined ? text : <MarkedQuote text={text} {...mark} />;
  });

interface TextProps {
  readonly title: string;
  /** The source named by the evidence. */
  readonly source: string;
}

interface ProseProps extends TextProps {
  readonly drawn: Drawn;
  readonly range: Range | null;
  readonly copied?: string;
}

const Prose = ({ title, drawn, range, copied }: ProseProps) => (
  <section class="panel stack tight" aria-label={title}>
    <div class="row">
      <h2>{title}</h2>
      {copied === undefined ? null : (
        <span class="end">
          <CopyButton text={copied} />
        </span>
      )}
    </div>
    <div class="prose" tabIndex={0} role="group" aria-label={title}>
      {range === null ? drawn : withMark(drawn, range)}
    </div>
  </section>
);

const useRange = (drawn: Drawn | undefined, source: string): Range | null => {
  const { quote } = usePlayer();
  return useMemo(
    () => (drawn === undefined || quote?.source !== source ? null : rangeOf(drawn, quote.quote)),
    [drawn, quote, source]
  );
};

/** A text without times or layout: of a page, or a description. */
export const PlainText = ({ text, ...props }: TextProps & { readonly text: string }) => {
  const drawn = useMemo(
    () =>
      text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => <p dir="auto">{line}</p>),
    [text]
  );
  return <Prose {...props} drawn={drawn} range={useRange(drawn, props.source)} />;
};

const readPage = (copied: string) => ({ copied, drawn: readMarkdown(copied) });

/** The rendered text; a quote that is only in the plain text is shown there. */
export const PageText = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const { quote } = usePlayer();
  const page = useText(result.id, "page.md", readPage);
  const range = useRange(page.data?.drawn, "page");
  const isElsewhere = page.data !== undefined && quote?.source === "page" && range === null;
  const plain = useText(result.id, isElsewhere ? result.summary.transcriptFile : null);
  const props = { title: runWords.text, source: "page" };
  if (isElsewhere && plain.data !== undefined) return <PlainText {...props} text={plain.data} />;
  return (
    <Waiting query={page} lines={6}>
      {(read) => <Prose {...props} {...read} range={range} />}
    </Waiting>
  );
};
