/**
 * Reads the bytes of a page: everything a worker does. Pure, offline and total: unreadable input also has a
 * result.
 */
import { resolver, type Resolve } from "./parse/Address.ts";
import { type ArticleText, readArticle, type Selected } from "./select/ArticleText.ts";
import type { Block } from "./select/blocks/Blocks.ts";
import { decodePage, undeclaredEncoding } from "./parse/TextEncoding.ts";
import { contentTypeOf, isXhtml, withoutPrefix } from "./parse/ContentType.ts";
import type { JsonLdNode } from "./parse/JsonLd.ts";
import {
  isLoginWall,
  type KindInput,
  markedEntities,
  pageEntities,
  type PageEntities,
  pageImages,
  type PageImages,
  pageKind,
  subtitles,
  videoUrls
} from "./facts/PageKind.ts";
import { metadataOf, metadataOfDocument } from "./facts/Metadata.ts";
import { TREE_TEXT_CHARS_MAX } from "./PageLimits.ts";
import type { PageUnreadable } from "./PageUnreadable.ts";
import type { PageKind, PageReading, PageSource, PageText } from "./facts/PageReading.ts";
import { type FactScan, scanFacts } from "./facts/FactScan.ts";
import { refreshUrl } from "./parse/Refresh.ts";
import { parsePage } from "./parse/ParsedPage.ts";
import type { Document, DocumentOutcome } from "./documents/Document.ts";
import { readOfficeDocument } from "./documents/office/OfficeDocument.ts";
import { readPdf } from "./documents/pdf/Pdf.ts";
import { isMarkdown, markdownDocument } from "./documents/MarkdownDocument.ts";
import { plainDocument } from "./documents/PlainDocument.ts";
import { type Content, linksOf, plainContent } from "./write/Content.ts";
import { readContent } from "./write/readContent.ts";
import { withoutTitle, writeContent, writeSections } from "./write/writeContent.ts";

export type ReadOutcome =
  | { readonly reading: PageReading }
  | { readonly refused: Exclude<PageUnreadable["reason"], "timeout" | "crashed"> };

const entitiesFor = (
  kind: PageKind,
  { article, gallery, page, post, video }: PageEntities
): ReadonlyArray<JsonLdNode> => {
  const order = {
    video: [video, post, article, page],
    photos: [gallery, post, article, page],
    webpage: [article, post, page]
  };
  return order[kind].filter((entity) => entity !== null);
};

const imagesFor = (kind: PageKind, { figures, gallery, shared }: PageImages): ReadonlyArray<string> => {
  const candidates =
    kind === "photos" ? [gallery, shared.length > 1 ? shared : [], figures, shared] : [figures, shared];
  return candidates.find((images) => images.length > 0) ?? [];
};

interface Facts {
  readonly scan: FactScan;
  readonly entities: PageEntities;
  readonly resolve: Resolve;
  readonly url: string;
}

const contentOf = (selected: Selected, all: ReadonlyArray<Block>, resolve: Resolve): Content => ({
  pages: [typeof selected === "string" ? plainContent(selected) : readContent({ ...selected, all, resolve })],
  isPaged: false
});

const writtenOf = (content: Content): Omit<PageText, "confidence" | "scannedPages" | "wholePage"> => ({
  ...writeContent(content),
  links: linksOf(content),
  pageCount: content.isPaged ? content.pages.length : null
});

const wholePageOf = ({ blocks, whole }: ArticleText, resolve: Resolve): PageText["wholePage"] => {
  if (whole === null) return null;
  const { markdown, plain, sections } = writeContent(contentOf(whole, blocks, resolve));
  return plain === "" ? null : { text: plain, markdown: typeof whole === "string" ? "" : markdown, sections };
};

const readingOf = ({ entities, resolve, scan, url }: Facts, article: ArticleText): PageReading => {
  const text = writtenOf(contentOf(article.main, article.blocks, resolve));
  const videos = videoUrls(scan, entities, resolve);
  const images = pageImages(scan, entities, resolve);
  const input: KindInput = { scan, entities, images, videoUrls: videos, text: text.plain };
  const kind = pageKind(input);
  const metadata = metadataOf({
    scan,
    entities: entitiesFor(kind, entities),
    marked: entitiesFor(kind, markedEntities(scan.microdata)),
    url,
    blocks: article.blocks
  });
  return {
    kind,
    text: {
      ...text,
      ...writeSections(withoutTitle(text.sections, metadata.title)),
      confidence: article.confidence,
      scannedPages: [],
      wholePage: wholePageOf(article, resolve)
    },
    metadata,
    media: { images: imagesFor(kind, images), videoUrls: videos, ...subtitles(scan, resolve) },
    loginWall: isLoginWall(input),
    needsBrowser: article.needsBrowser && videos.length === 0,
    refreshUrl: refreshUrl(scan.refresh ?? "", resolve, url)
  };
};

const isEmpty = ({ kind, media, metadata, needsBrowser, refreshUrl: next, text }: PageReading): boolean =>
  text.plain === "" &&
  next === null &&
  metadata.title === null &&
  kind === "webpage" &&
  media.images.length === 0 &&
  media.videoUrls.length === 0 &&
  !needsBrowser;

const readHtml = (html: string, url: string, syntax: { readonly isXhtml: boolean }): ReadOutcome => {
  const tree = parsePage(html, syntax);
  if (tree.truncated) return { refused: "too_large" };
  const scan = scanFacts(tree.root);
  const facts = { scan, entities: pageEntities(scan.jsonLd), resolve: resolver(url, scan.baseHref), url };
  const reading = readingOf(facts, readArticle(tree, scan, url));
  return isEmpty(reading) ? { refused: "empty" } : { reading };
};

const documentReading = (document: Document): PageReading => {
  return {
    kind: "webpage",
    text: {
      ...writtenOf(document),
      confidence: 1,
      scannedPages: document.scannedPages ?? [],
      wholePage: null
    },
    metadata: metadataOfDocument(document),
    media: { images: [], videoUrls: [], subtitles: [], subtitleLabels: [] },
    loginWall: false,
    needsBrowser: false,
    refreshUrl: null
  };
};

/** One without text is of no use, whatever its properties say. */
const readDocument = (outcome: DocumentOutcome | Extract<ReadOutcome, { refused: unknown }>): ReadOutcome => {
  if ("refused" in outcome) return outcome;
  const reading = documentReading(outcome.document);
  const { plain, scannedPages } = reading.text;
  return plain.trim() === "" && scannedPages.length === 0 ? { refused: "no_text" } : { reading };
};

export const readBytes = async (bytes: Uint8Array, source: PageSource): Promise<ReadOutcome> => {
  const type = contentTypeOf(bytes, source.contentType);
  if (type === "other") return { refused: "unsupported_type" };
  if (type === "encrypted") return { refused: "encrypted" };
  if (type === "office") return readDocument(await readOfficeDocument(bytes));
  if (type === "pdf") return readDocument(await readPdf(bytes));
  if (type === "html") {
    const syntax = { isXhtml: isXhtml(bytes, source.contentType) };
    const html = decodePage(bytes, source.contentType);
    return readHtml(syntax.isXhtml ? withoutPrefix(html) : html, source.url, syntax);
  }
  const text = decodePage(bytes, source.contentType, (plain) => undeclaredEncoding(plain).label);
  if (text.length > TREE_TEXT_CHARS_MAX) return { refused: "too_large" };
  const markdown = isMarkdown(text, source) ? await markdownDocument(text, source.url) : null;
  return readDocument({ document: markdown ?? plainDocument(text) });
};
