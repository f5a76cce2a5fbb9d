/** Reads inline elements: emphasis, code, links, notes, formulas. Measured by bench/page-markdown.ts. Tests: readContent.test.ts. */
import type { MetadataLink } from "@winnow/core/domain/source/SourceMetadata";
import { withoutTracking } from "@winnow/core/domain/url/Tracking";
import type { Resolve } from "../parse/Address.ts";
import { type PageElement, textOf } from "../parse/PageTree.ts";
import { listNumbers } from "../parse/ListNumbers.ts";
import { formulaOf } from "../parse/Formulas.ts";
import { checkboxState } from "../parse/Typography.ts";
import { type InlineRun, spanning } from "./InlineRun.ts";
import type { KeptText } from "./KeptText.ts";
import { type Inline, plainText } from "./Content.ts";
import { LISTED_LINKS_MAX } from "../PageLimits.ts";
import type { Notes } from "./Notes.ts";

const SPANNING: ReadonlyMap<string, (children: ReadonlyArray<Inline>) => Inline> = new Map([
  ["strong", spanning("strong")],
  ["b", spanning("strong")],
  ["em", spanning("emphasis")],
  ["i", spanning("emphasis")]
]);

const CODE: ReadonlySet<string> = new Set(["code", "kbd", "samp", "tt"]);

/** One mailbox (RFC 6068), without the subject and copy recipients that a page may add. */
const MAILBOX = /^\s*mailto:\s*([\w.+-]{1,64}@[\w-]+(?:\.[\w-]+){1,9})\s*(?:\?|$)/i;
/** A number as people write it (RFC 3966), without telephone control codes. */
const TELEPHONE = /^\s*tel:\s*(\+?[\d\s().-]{3,40}|\+?(?:[\d().-]|%20){3,40})$/i;

/** The e-mail address or telephone number of a link. */
const contactOf = (reference: string): string | null => {
  const mailbox = MAILBOX.exec(reference)?.[1];
  if (mailbox !== undefined) return `mailto:${mailbox}`;
  const number = TELEPHONE.exec(reference)?.[1]
    ?.replaceAll("%20", "")
    .replace(/[^\d+]/g, "");
  return number === undefined || number.length < 3 ? null : `tel:${number}`;
};

/** What the text is inside of: code, a link, emphasis. */
interface Inside {
  readonly code: boolean;
  readonly link: boolean;
  readonly spans: ReadonlySet<string>;
}

const OUTSIDE: Inside = { code: false, link: false, spans: new Set() };

/** Line breaks in an element without text; none if it has text. */
const breakCount = (element: PageElement): number => {
  let count = 0;
  const isBlank = ({ children, hidden }: PageElement): boolean =>
    !hidden &&
    children.every((child) => {
      if (typeof child === "string") return child.trim() === "";
      if (child.name === "br") count += 1;
      return isBlank(child);
    });
  return isBlank(element) ? count : 0;
};

export class InlineReader {
  readonly links = new Map<string, MetadataLink>();
  private readonly kept: KeptText;
  private readonly notes: Notes;
  private readonly resolve: Resolve;

  constructor(kept: KeptText, notes: Notes, resolve: Resolve) {
    this.kept = kept;
    this.notes = notes;
    this.resolve = resolve;
  }

  private link({ attributes }: PageElement): string | null {
    const url = URL.parse(this.resolve(attributes["href"]) ?? "");
    return url === null ? contactOf(attributes["href"] ?? "") : withoutTracking(url).href;
  }

  /** All of its text, without structure, but with the numbers of its lists. */
  children(element: PageElement, run: InlineRun, inside: Inside = OUTSIDE): void {
    const numbers = listNumbers(element);
    for (const [index, child] of element.children.entries()) {
      if (typeof child !== "string") {
        const number = numbers.get(child);
        if (number !== undefined) run.labelled(`${number.label}. `);
        this.element(child, run, inside);
        continue;
      }
      const block = this.kept.blockOf(element, index);
      if (block !== null) run.text(child, block, inside.code);
      else if (child.trim() === "") run.space();
    }
  }

  element(element: PageElement, run: InlineRun, inside: Inside = OUTSIDE): void {
    const { name } = element;
    if (name === "br") return run.push({ type: "break" });
    if (!this.kept.has(element)) return this.blank(element, run);
    const formula = formulaOf(element);
    if (formula !== null) return run.push({ type: "formula", ...formula, text: textOf(element) });
    const isChecked = checkboxState(element);
    if (isChecked !== null) {
      run.push({ type: "checkbox", isChecked });
      return run.space();
    }
    const read = () => this.running(element, run, inside);
    if (element.isStruck && !inside.code) run.within(spanning("struck"), read, { isByLine: true });
    else read();
  }

  private running(element: PageElement, run: InlineRun, inside: Inside): void {
    const { name } = element;
    if (name === "a" && !inside.link) return this.anchor(element, run, inside);
    const make = SPANNING.get(name);
    if (make !== undefined && !inside.code && !inside.spans.has(name)) {
      const spans = new Set([...inside.spans, name]);
      return run.within(make, () => this.children(element, run, { ...inside, spans }), { isByLine: true });
    }
    this.children(element, run, CODE.has(name) ? { ...inside, code: true } : inside);
  }

  /** Line breaks, or the space between two words. */
  private blank(element: PageElement, run: InlineRun): void {
    const count = breakCount(element);
    for (let at = 0; at < count; at += 1) run.push({ type: "break" });
    if (count === 0 && this.isSpace(element)) run.space();
  }

  /** Whether it contains white space of a selected block. */
  private isSpace(element: PageElement): boolean {
    return (
      !element.hidden &&
      element.children.some((child, index) =>
        typeof child === "string" ? this.kept.blockOf(element, index) !== null : this.isSpace(child)
      )
    );
  }

  private anchor(element: PageElement, run: InlineRun, inside: Inside): void {
    const name = this.notes.markOf(element);
    if (name !== null) return run.push({ type: "noteMark", name, text: textOf(element) });
    if (this.notes.isBacklink(element)) return;
    const url = this.link(element);
    if (url === null) return this.children(element, run, inside);
    this.linked(url, run, () => this.children(element, run, { ...inside, link: true }));
  }

  private linked(url: string, run: InlineRun, gather: () => void): void {
    run.within((children) => {
      const text = plainText(children).replace(/\s+/g, " ").trim();
      if (this.links.size < LISTED_LINKS_MAX && !this.links.has(url) && !url.startsWith("tel:"))
        this.links.set(url, { url, text });
      return { type: "link", url, children };
    }, gather);
  }

  /** The first text of a link that contains whole blocks. */
  linkedChildren(link: PageElement, element: PageElement, run: InlineRun): void {
    const url = this.link(link);
    if (url === null) this.children(element, run);
    else this.linked(url, run, () => this.children(element, run, { ...OUTSIDE, link: true }));
  }

  /** The first string of such a link. */
  linkedText(link: PageElement, text: string, block: number, run: InlineRun): void {
    const url = this.link(link);
    if (url === null) run.text(text, block, false);
    else this.linked(url, run, () => run.text(text, block, false));
  }
}
