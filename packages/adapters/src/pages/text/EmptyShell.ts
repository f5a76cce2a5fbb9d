/** Detects pages that only a browser can render: an empty root element of an application. */
import { type PageElement, textOf, walk } from "../tree/PageTree.ts";

/** A page with more text than this was rendered by its server. */
export const SHELL_TEXT_CHARS_MAX = 250;

const ROOT_IDS: ReadonlySet<string> = new Set([
  "root",
  "app",
  "__next",
  "__nuxt",
  "___gatsby",
  "main-app",
  "react-root",
  "app-root",
  "svelte"
]);
const ROOT_ELEMENTS: ReadonlySet<string> = new Set(["app-root", "app", "ion-app"]);
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
export const isEmptyShell = (root: PageElement, text: string, shownChars: number): boolean => {
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
