/**
 * Texts without times: of a page with its layout (headings, lists, tables, links), or plain. A quote is marked in them
 * and scrolled to.
 */
import { cloneElement } from "preact";
import { useMemo } from "preact/hooks";
import type { CompleteResult } from "@winnow/client";
import { useText } from "../../data/extractions.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
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
  let text = "";
  redrawn(drawn, (piece, from) => {
    text = text.padEnd(from) + piece;
    return piece;
  });
  return findQuote(text, quote);
};

const withMark = (drawn: Drawn, range: Range): Drawn =>
  redrawn(drawn, (text, from) => {
    const mark = within(range, from, text.length);
    return mark === undefined ? text : <MarkedQuote text={text} {...mark} />;
  });

export const readPlain = (text: string): ReadonlyArray<Drawn> =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => <p dir="auto">{line}</p>);

interface ProseProps {
  readonly title: string;
  /** The source named by the evidence. */
  readonly source: string;
  readonly drawn: Drawn;
  readonly copied?: string;
}

export const Prose = ({ title, source, drawn, copied }: ProseProps) => {
  const { quote } = usePlayer();
  const shown = useMemo(() => {
    const range = quote?.source === source ? rangeOf(drawn, quote.quote) : null;
    return range === null ? drawn : withMark(drawn, range);
  }, [drawn, quote, source]);
  return (
    <Panel title={title} end={copied && <CopyButton text={copied} />}>
      <div class="prose" tabIndex={0} role="group" aria-label={title}>
        {shown}
      </div>
    </Panel>
  );
};

const readPage = (copied: string) => ({ copied, drawn: readMarkdown(copied) });

/** The rendered text; a quote that is only in the plain text is shown there. */
export const PageText = ({ result: { id, summary } }: { readonly result: CompleteResult<unknown> }) => {
  const { quote } = usePlayer();
  const page = useText(id, "page.md", readPage);
  const isElsewhere =
    quote?.source === "page" && page.data !== undefined && rangeOf(page.data.drawn, quote.quote) === null;
  const plain = useText(id, isElsewhere ? summary.transcriptFile : null, readPlain);
  return (
    <Waiting query={page} lines={6}>
      {(read) => (
        <Prose
          title={runWords.text}
          source="page"
          {...(isElsewhere && plain.data !== undefined ? { drawn: plain.data } : read)}
        />
      )}
    </Waiting>
  );
};
