/**
 * Text that the server sent only as data: the article body in JSON-LD, or running text in the properties from
 * which a framework renders the page.
 */
import { blockText } from "./BlockText.ts";
import { stringsOf } from "../tree/JsonLd.ts";
import { EMBEDDED_NODES_MAX, JSON_LD_DEPTH_MAX } from "../PageLimits.ts";
import type { PageScan } from "../tree/PageScan.ts";
import { parsePage } from "./ParsedPage.ts";
import { decoded } from "../tree/PlainText.ts";

const RUNNING_TEXT_CHARS_MIN = 80;
const RUNNING_WORDS_MIN = 8;
/** URLs and data can be long too. */
const NO_TEXT = /^(?:https?:|data:|[{[])/;
const MARKUP = /<\/?[a-z][^<>]{0,500}>/i;

const isRunningText = (value: string): boolean =>
  value.length >= RUNNING_TEXT_CHARS_MIN &&
  !NO_TEXT.test(value) &&
  value.slice(0, 500).split(/\s+/).length > RUNNING_WORDS_MIN;

const plain = (written: string): string =>
  MARKUP.test(written) ? blockText(parsePage(written).root) : decoded(written).trim();

const runningTexts = (data: unknown): ReadonlyArray<string> => {
  const texts = new Set<string>();
  let nodes = 0;
  const collect = (value: unknown, depth: number): void => {
    nodes += 1;
    if (nodes > EMBEDDED_NODES_MAX || depth > JSON_LD_DEPTH_MAX) return;
    if (typeof value === "string") {
      if (isRunningText(value)) texts.add(plain(value));
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
export const embeddedText = ({ jsonLd, stateScripts }: PageScan): string => {
  const bodies = jsonLd.entities.flatMap((entity) =>
    ["articleBody", "text"].flatMap((key) => stringsOf(jsonLd, entity, key))
  );
  const declared = bodies.map(plain).join("\n");
  return declared === ""
    ? stateScripts.flatMap((source) => runningTexts(parsed(source))).join("\n")
    : declared;
};
