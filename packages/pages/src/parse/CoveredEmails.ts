/**
 * Lifts Cloudflare's cover of e-mail addresses, as its script does in any browser: the first byte of what is written
 * in hexadecimal is the key, and each further byte is one of the address XOR that key. Retrain: train/train-page-text.ts.
 */
import { type PageElement, textOf, walk } from "./PageTree.ts";

/** Twice an address with a subject, in hexadecimal digits. */
const DIGITS_MAX = 1_024;

const COVERED_LINK = /\/cdn-cgi\/l\/email-protection#([\da-f]+)$/i;

/** What stands in the place of an address. */
const COVER = /^\s*\[email\s*protected\]\s*$/u;

const ADDRESS = /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u;

/** After a `?`, a link may name a subject. */
const addressOf = (text: string): string => text.split("?", 1)[0] ?? text;

/** Null if it is no address. */
const uncovered = (digits: string): string | null => {
  if (digits.length > DIGITS_MAX || !/^(?:[\da-f]{2}){2,}$/i.test(digits)) return null;
  const [key = 0, ...bytes] = Buffer.from(digits, "hex");
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte ^ key));
  return ADDRESS.test(addressOf(text)) ? text : null;
};

const write = (element: PageElement, text: string): void => {
  element.children.splice(0, element.children.length, addressOf(text));
};

/** Writes the addresses in the place of their covers, and into links. */
export const uncoverEmails = (root: PageElement): void =>
  walk(root, (element) => {
    const { attributes, name } = element;
    const linked = uncovered(COVERED_LINK.exec(attributes["href"]?.trim() ?? "")?.[1] ?? "");
    const shown = uncovered(attributes["data-cfemail"]?.trim() ?? "");
    if (shown !== null) write(element, shown);
    const address = linked ?? shown;
    if (name !== "a" || address === null) return;
    if (linked !== null || /\/cdn-cgi\/l\/email-protection/.test(attributes["href"] ?? ""))
      attributes["href"] = `mailto:${address}`;
    if (COVER.test(textOf(element, DIGITS_MAX))) write(element, address);
  });
