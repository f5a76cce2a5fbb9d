/**
 * The text of a page with its layout: headings, lists, tables, links. Quotes are marked in it.
 */
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { CopyButton } from "../../parts/Copy.tsx";
import { useScrollToMark, type Player } from "./player.tsx";
import { findQuote, Marked, type Range } from "./marks.tsx";
import type { CompleteResult } from "@winnow/client";
import { useText } from "../../data/extractions.ts";
import { Waiting } from "../../parts/Waiting.tsx";
import { runWords } from "./words.ts";
import { readMarkdown, type Block, type Inline } from "./markdown.ts";

// A text without times: of a page, or a description. A quote from it is highlighted and scrolled to.

interface PlainTextProps {
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

/** A quote within the rendered text, and where each piece of that text begins. */
interface Highlight {
  readonly range: Range | null;
  readonly starts: ReadonlyMap<Inline, number>;
}

const Highlighted = createContext<Highlight>({ range: null, starts: new Map() });

const TextPiece = ({ inline }: { readonly inline: Inline & { readonly text: string } }) => {
  const { range, starts } = useContext(Highlighted);
  const start = starts.get(inline);
  return (
    <Marked
      text={inline.text}
      ranges={start === undefined ? [] : within({ text: inline.text, start }, range)}
    />
  );
};

/** All text of the blocks, as it is shown, with a space between blocks and cells. */
const placesOf = (blocks: ReadonlyArray<Block>): { readonly text: string } & Pick<Highlight, "starts"> => {
  const starts = new Map<Inline, number>();
  let text = "";
  const addInlines = (all: ReadonlyArray<Inline>): void => {
    for (const inline of all) {
      if ("children" in inline) addInlines(inline.children);
      else {
        starts.set(inline, text.length);
        text += inline.text;
      }
    }
  };
  const add = (block: Block): void => {
    if ("children" in block) addInlines(block.children);
    else if (block.type === "quote") block.blocks.forEach(add);
    else if (block.type === "list") block.items.flat().forEach(add);
    else if (block.type === "table") {
      for (const cell of block.rows.flat()) {
        addInlines(cell);
        text += " ";
      }
    }
    text += "\n";
  };
  blocks.forEach(add);
  return { text, starts };
};

const InlineView = ({ inline }: { readonly inline: Inline }) => {
  if (inline.type === "text") return <TextPiece inline={inline} />;
  const Name = inline.type === "link" ? "a" : inline.type;
  const link =
    inline.type === "link" ? { href: inline.url, target: "_blank", rel: "noreferrer noopener" } : {};
  return (
    <Name {...link}>
      {"children" in inline ? <Inlines inlines={inline.children} /> : <TextPiece inline={inline} />}
    </Name>
  );
};

const Inlines = ({ inlines }: { readonly inlines: ReadonlyArray<Inline> }) => (
  <>
    {inlines.map((inline, index) => (
      <InlineView key={index} inline={inline} />
    ))}
  </>
);

type Cells = (Block & { readonly type: "table" })["rows"][number];

const Row = ({ cells, name: Name }: { readonly cells: Cells; readonly name: "th" | "td" }) => (
  <tr>
    {cells.map((cell, index) => (
      <Name key={index} scope={Name === "th" ? "col" : undefined} dir="auto">
        <Inlines inlines={cell} />
      </Name>
    ))}
  </tr>
);

/** Headings of the page are one level below those of the screen. */
const HEADINGS = ["h3", "h4", "h5"] as const;

const BlockView = ({ block }: { readonly block: Block }) => {
  switch (block.type) {
    case "heading": {
      const Name = HEADINGS[block.level - 1] ?? "h5";
      return (
        <Name class={block.level === 1 ? "page-heading" : undefined} dir="auto">
          <Inlines inlines={block.children} />
        </Name>
      );
    }
    case "paragraph":
      return (
        <p dir="auto">
          <Inlines inlines={block.children} />
        </p>
      );
    case "code":
      return (
        <pre tabIndex={0}>
          <code>
            <Inlines inlines={block.children} />
          </code>
        </pre>
      );
    case "page":
      return <p class="hint">{runWords.onPage(block.page)}</p>;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Blocks blocks={item} />
        </li>
      ));
      return block.start === null ? (
        <ul dir="auto">{items}</ul>
      ) : (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      );
    }
    case "table": {
      const [head = [], ...rows] = block.rows;
      return (
        <div class="table-scroll" tabIndex={0} role="group" aria-label={runWords.table}>
          <table>
            <thead>
              <Row cells={head} name="th" />
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <Row key={at} cells={row} name="td" />
              ))}
            </tbody>
          </table>
        </div>
      );
    }
  }
};

const Blocks = ({ blocks }: { readonly blocks: ReadonlyArray<Block> }) => (
  <>
    {blocks.map((block, index) => (
      <BlockView key={index} block={block} />
    ))}
  </>
);

interface PageTextProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const readPage = (text: string) => {
  const blocks = readMarkdown(text);
  return { text, blocks, places: placesOf(blocks) };
};

/** The rendered text; a quote that is only in the plain text is shown there. */
export const PageText = ({ result, player }: PageTextProps) => {
  const page = useText(result.id, "page.md", readPage);
  const { quote } = player;
  const places = quote?.source === "page" ? page.data?.places : undefined;
  const range = useMemo(
    () => (places === undefined || quote === null ? null : findQuote(places.text, quote.quote)),
    [places, quote]
  );
  const isElsewhere = places !== undefined && range === null;
  const plain = useText(result.id, isElsewhere ? result.summary.transcriptFile : null);
  const box = useScrollToMark<HTMLDivElement>("page", player, page.data !== undefined);
  if (isElsewhere && plain.data !== undefined) {
    return <PlainText title={runWords.text} text={plain.data} source="page" player={player} />;
  }
  return (
    <Waiting query={page} lines={6}>
      {({ text, blocks, places: { starts } }) => (
        <section class="panel stack tight" aria-label={runWords.text}>
          <div class="row">
            <h2>{runWords.text}</h2>
            <span class="end">
              <CopyButton text={text} />
            </span>
          </div>
          <div ref={box} class="prose" tabIndex={0} role="group" aria-label={runWords.text}>
            <Highlighted.Provider value={{ range, starts }}>
              <Blocks blocks={blocks} />
            </Highlighted.Provider>
          </div>
        </section>
      )}
    </Waiting>
  );
};
