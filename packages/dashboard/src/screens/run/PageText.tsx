/**
 * Texts without times: of a page with its layout (headings, lists, tables, links), or plain. A quote is marked in them
 * and scrolled to. Tests: states.test.ts, schemas.test.ts.
 */
import { useMemo } from "preact/hooks";
import type { CompleteResult } from "@winnow/client";
import { useText } from "../../data/extractions.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { rangeOf, redrawn, type Drawn } from "./drawn.ts";
import { readMarkdown } from "./markdown.tsx";
import { textOfQuote, within, type Range } from "./marks.ts";
import { usePlayer } from "./player.tsx";
import { MarkedQuote } from "./Quoted.tsx";
import { runWords } from "./words.ts";

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
    const range = quote !== null && textOfQuote(quote) === source ? rangeOf(drawn, quote.quote) : null;
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
    quote !== null &&
    textOfQuote(quote) === "page" &&
    page.data !== undefined &&
    rangeOf(page.data.drawn, quote.quote) === null;
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
