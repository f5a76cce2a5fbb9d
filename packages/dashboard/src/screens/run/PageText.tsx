/**
 * Texts without times: of a page with its layout (headings, lists, tables, links), or plain. A quote is marked in them
 * and scrolled to.
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

/** Blocks, the text that they show, and where in it each piece begins. */
interface Laid {
  readonly blocks: ReadonlyArray<Block>;
  readonly text: string;
  readonly starts: ReadonlyMap<Inline, number>;
}

/** A quote within the shown text. */
type Highlight = Pick<Laid, "starts"> & { readonly range: Range | null };

const Highlighted = createContext<Highlight>({ range: null, starts: new Map() });

const TextPiece = ({ inline }: { readonly inline: Inline & { readonly text: string } }) => {
  const { range, starts } = useContext(Highlighted);
  const from = starts.get(inline) ?? 0;
  const start = Math.max(0, (range?.start ?? 0) - from);
  const end = Math.min(inline.text.length, (range?.end ?? 0) - from);
  return <Marked text={inline.text} ranges={end > start ? [{ start, end }] : []} />;
};

/** White space separates the texts of blocks and cells. */
const laidOut = (blocks: ReadonlyArray<Block>): Laid => {
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
  return { blocks, text, starts };
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

const useRange = (laid: Laid | undefined, source: string, { quote }: Player): Range | null =>
  useMemo(
    () => (laid === undefined || quote?.source !== source ? null : findQuote(laid.text, quote.quote)),
    [laid, quote, source]
  );

interface TextProps {
  readonly title: string;
  /** The source named by the evidence. */
  readonly source: string;
  readonly player: Player;
}

interface ProseProps extends TextProps {
  readonly laid: Laid;
  readonly range: Range | null;
  readonly copied?: string;
}

const Prose = ({ title, source, player, laid, range, copied }: ProseProps) => {
  const box = useScrollToMark<HTMLDivElement>(source, player);
  return (
    <section class="panel stack tight" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        {copied === undefined ? null : (
          <span class="end">
            <CopyButton text={copied} />
          </span>
        )}
      </div>
      <div ref={box} class="prose" tabIndex={0} role="group" aria-label={title}>
        <Highlighted.Provider value={{ range, starts: laid.starts }}>
          <Blocks blocks={laid.blocks} />
        </Highlighted.Provider>
      </div>
    </section>
  );
};

const readLines = (text: string): Laid =>
  laidOut(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => ({ type: "paragraph", children: [{ type: "text", text: line }] }))
  );

/** A text without times or layout: of a page, or a description. */
export const PlainText = ({ text, ...props }: TextProps & { readonly text: string }) => {
  const laid = useMemo(() => readLines(text), [text]);
  const range = useRange(laid, props.source, props.player);
  return <Prose {...props} laid={laid} range={range} />;
};

interface PageTextProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const readPage = (copied: string) => ({ copied, laid: laidOut(readMarkdown(copied)) });

/** The rendered text; a quote that is only in the plain text is shown there. */
export const PageText = ({ result, player }: PageTextProps) => {
  const page = useText(result.id, "page.md", readPage);
  const range = useRange(page.data?.laid, "page", player);
  const isElsewhere = page.data !== undefined && player.quote?.source === "page" && range === null;
  const plain = useText(result.id, isElsewhere ? result.summary.transcriptFile : null);
  const props = { title: runWords.text, source: "page", player };
  if (isElsewhere && plain.data !== undefined) return <PlainText {...props} text={plain.data} />;
  return (
    <Waiting query={page} lines={6}>
      {(read) => <Prose {...props} {...read} range={range} />}
    </Waiting>
  );
};
