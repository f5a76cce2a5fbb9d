/**
 * The main text of a page, from the first that gives it: the blocks that the model selects; for pages beyond its
 * limits, the noise filter; for nearly empty pages, what the server sent only as data; a browser that renders the page.
 * Before you change a length: bench/page-text.ts. Tests: EmptyShell.test.ts, MainText.test.ts.
 */
import { blockText } from "../parse/PlainText.ts";
import { stringsOf } from "../parse/JsonLd.ts";
import { EMBEDDED_NODES_MAX, FILTER_ELEMENTS_MAX, JSON_LD_DEPTH_MAX } from "../PageLimits.ts";
import type { PageScan } from "../parse/PageScan.ts";
import { shownText } from "../parse/ParsedPage.ts";
import { bodyOf, type PageElement, type PageTree, textOf, walk } from "../parse/PageTree.ts";
import { type Block, cutBlocks } from "./blocks/Blocks.ts";
import { blockChances, isWithinModelLimits, mainText, textConfidence } from "./blocks/MainText.ts";
import { shippedModel } from "./blocks/ShippedModel.ts";
import { filterNoise } from "./blocks/NoiseFilter.ts";

// Text that the server sent only as data: the article body in JSON-LD, or running text in the properties from
// which a framework renders the page.

const RUNNING_TEXT_CHARS_MIN = 80;
const RUNNING_WORDS_MIN = 8;
/** Within these characters, which are enough to tell. */
const WORDS_WITHIN_CHARS = 500;
/** URLs and data can be long too. */
const URL_OR_DATA = /^(?:https?:|data:|[{[])/;

const isRunningText = (value: string): boolean =>
  value.length >= RUNNING_TEXT_CHARS_MIN &&
  !URL_OR_DATA.test(value) &&
  value.slice(0, WORDS_WITHIN_CHARS).split(/\s+/).length > RUNNING_WORDS_MIN;

const runningTexts = (data: unknown): ReadonlyArray<string> => {
  const texts = new Set<string>();
  let nodes = 0;
  const collect = (value: unknown, depth: number): void => {
    nodes += 1;
    if (nodes > EMBEDDED_NODES_MAX || depth > JSON_LD_DEPTH_MAX) return;
    if (typeof value === "string") {
      if (isRunningText(value)) texts.add(shownText(value).trim());
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) collect(inner, depth + 1);
    }
  };
  collect(data, 0);
  return [...texts].filter((text) => text.length >= RUNNING_TEXT_CHARS_MIN);
};

const parsed = (source: string): unknown => {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
};

/** Empty if there is none. */
const embeddedText = ({ jsonLd, stateScripts }: PageScan): string => {
  const bodies = jsonLd.entities.flatMap((entity) =>
    ["articleBody", "text"].flatMap((key) => stringsOf(jsonLd, entity, key))
  );
  const declared = bodies.map((body) => shownText(body).trim()).join("\n");
  return declared === ""
    ? stateScripts.flatMap((source) => runningTexts(parsed(source))).join("\n")
    : declared;
};

// Pages that only a browser can render: an empty root element of an application.

/**
 * A page with more text than this was rendered by its server. Of WCXB's 1,346 pages, the text that asks for scripts has 46
 * characters, and three pages have 250 to 300, which are rendered.
 */
const SHELL_TEXT_CHARS_MAX = 250;

const ROOT_IDS: ReadonlySet<string> = new Set(
  "root app __next __nuxt ___gatsby main-app react-root app-root svelte".split(" ")
);
const ROOT_ELEMENTS: ReadonlySet<string> = new Set(["app-root", "app", "ion-app"]);
/** "Please enable JavaScript", "JavaScript is required". */
const ASKS_FOR_SCRIPT =
  /\b(enable|activate|requires?|need|turn on|without|disabled)\b.{0,60}\bjava ?script\b|\bjava ?script\b.{0,60}\b(enabled?|required|disabled|activated?|needed|not supported)\b/is;
const NOTICE_CHARS_MAX = 2_000;

const isRoot = ({ attributes, name }: PageElement): boolean =>
  ROOT_ELEMENTS.has(name) ||
  ROOT_IDS.has((attributes["id"] ?? "").toLowerCase()) ||
  "data-reactroot" in attributes;

/** A body with scripts and no more text than this shows nothing without them. */
const BODY_CHARS_MAX = 50;

const hasScripts = (root: PageElement): boolean => {
  let found = false;
  walk(root, ({ attributes, name }) => {
    found ||= name === "script" && !/json/i.test(attributes["type"] ?? "");
    return !found;
  });
  return found;
};

/** `text`: what was read from the page; `shownChars`: how much its body shows without scripts. */
const isEmptyShell = (root: PageElement, text: string, shownChars: number): boolean => {
  if (text.length >= SHELL_TEXT_CHARS_MAX) return false;
  let found = false;
  walk(root, (element) => {
    if (found) return false;
    if (element.name === "noscript") found = ASKS_FOR_SCRIPT.test(textOf(element, NOTICE_CHARS_MAX));
    else if (isRoot(element))
      found = textOf(element, SHELL_TEXT_CHARS_MAX).trim().length < SHELL_TEXT_CHARS_MAX;
    return !found;
  });
  return found || ASKS_FOR_SCRIPT.test(text) || (shownChars <= BODY_CHARS_MAX && hasScripts(root));
};

/** Blocks of the page, or a text that was taken without dividing it into blocks. */
export type Selected = { readonly body: PageElement; readonly kept: ReadonlyArray<Block> } | string;

export interface ArticleText {
  readonly main: Selected;
  /** All visible text, if the confidence is below {@link TRUSTED_CONFIDENCE_MIN}. */
  readonly whole: Selected | null;
  /** 0 to 1, as in PageReading. */
  readonly confidence: number;
  /** All visible text, in order. */
  readonly blocks: ReadonlyArray<Block>;
  readonly needsBrowser: boolean;
}

/** For text that the model did not judge: neither trusted nor doubted. */
const UNJUDGED_CONFIDENCE = 0.5;

/**
 * Below this, a reader of the text should see the whole page: on such training pages the text has 0.58 of the
 * expected words, the whole page 0.72.
 */
const TRUSTED_CONFIDENCE_MIN = 0.65;

const withoutModel = (body: PageElement, elementCount: number): string =>
  (elementCount <= FILTER_ELEMENTS_MAX && filterNoise(body)) || blockText(body);

/** For pages that state no address: that of a post, as most pages are. */
const USUAL_PATH = "/posts/1";

/**
 * The address that the page states for itself, otherwise a usual one of its site: how a page was reached must not decide what its
 * text is.
 */
const ownAddress = ({ canonicalHref, meta }: PageScan, url: string): string => {
  const site = URL.parse(USUAL_PATH, url)?.href ?? url;
  const stated = [canonicalHref, meta.get("og:url")?.[0]]
    .map((href) => (href == null ? null : URL.parse(href, site)))
    .find((each) => each !== null && /^https?:$/.test(each.protocol));
  return stated?.href ?? site;
};

export const readArticle = ({ elementCount, root }: PageTree, scan: PageScan, from: string): ArticleText => {
  const url = ownAddress(scan, from);
  const page = cutBlocks(bodyOf(root));
  const body = page.body.element;
  const main = isWithinModelLimits(page)
    ? mainText(page, blockChances(page, { scan, url }, shippedModel()), { scan, url })
    : null;
  const text =
    main === null ? withoutModel(body, elementCount) : main.blocks.map((block) => block.text).join("\n");
  const sent = text.length < SHELL_TEXT_CHARS_MAX ? embeddedText(scan) : "";
  // Text from embedded data has no position on the page.
  const isSent = sent.length > text.length;
  const isJudged = main !== null && !isSent;
  const confidence = isJudged ? textConfidence(main.expectedF1) : UNJUDGED_CONFIDENCE;
  const whole = isJudged ? { body, kept: page.blocks } : blockText(body);
  return {
    main: isJudged ? { body, kept: main.blocks } : isSent ? sent : text,
    whole: confidence < TRUSTED_CONFIDENCE_MIN && !isSent ? whole : null,
    confidence,
    blocks: page.blocks,
    needsBrowser: sent.length < SHELL_TEXT_CHARS_MAX && isEmptyShell(root, text, page.body.chars)
  };
};
