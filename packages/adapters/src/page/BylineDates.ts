/** The day that the words around a heading tell a reader. */
import type { Block } from "./blocks/Blocks.ts";
import { dateIn, type NumericOrder, numericOrder, pageDate } from "./PageDate.ts";

export interface BylineDates {
  /** YYYYMMDD, of the lines around the heading. */
  readonly date: string | null;
  /** Where those tell none: the only day that a line says to be of publication, wherever that is. */
  readonly dateElsewhere: string | null;
  /** Likewise the only day that has a line of its own. */
  readonly bareDate: string | null;
  /** Whether the words say that this is the day of a change. */
  readonly isOfChange: boolean;
  /** YYYYMMDD of the last change, as those lines say. */
  readonly changed: string | null;
}

export const LINE_CHARS_MAX = 120;

/** How lines are counted from the heading on. */
export interface Direction {
  /** What a line of distance costs. */
  readonly step: number;
  /** Where the line stands that comes before on the page. */
  readonly toLabel: -1 | 1;
}

export const FORWARD: Direction = { step: 1, toLabel: -1 };
/** Before the heading stand menus and breadcrumbs. */
export const BACKWARD: Direction = { step: 3, toLabel: 1 };

export const isLine = ({ text }: Block): boolean => text.length <= LINE_CHARS_MAX;

/** A day of which a line says that it is not the one of publication. */
const CHANGED = /\b(?:updated?|modified|edited|reviewed|revised)\b/i;
/** "Posted on" and the like, wherever it stands. */
const PUBLISHED = /^(?:(?:first|originally) )?(?:posted|published)\b/i;

/** Days of members and of offers. */
const OF_SOMETHING_ELSE =
  /^(?:born|expires?|joined|last (?:active|seen|visit)|member since|registered|valid)\b/i;

/** Elements above its text in which a `time` may lie. */
const TIME_DEPTH = 3;

/** The day that the page tells machines of a line. */
const machineDay = ({ leaf }: Block): string | null => {
  let region: Block["leaf"] | null = leaf;
  for (let depth = 0; depth < TIME_DEPTH && region !== null; depth += 1, region = region.parent) {
    const { attributes, name } = region.element;
    if (name === "time") return pageDate(attributes["datetime"]);
  }
  return null;
};

/** What readers see goes before what machines are told: the latter may be in another time zone. */
const dayOf = (block: Block, order: NumericOrder | null): string | null =>
  OF_SOMETHING_ELSE.test(block.text) ? null : (dateIn(block.text, order) ?? machineDay(block));

interface DatedLine {
  readonly day: string;
  readonly cost: number;
  readonly isOfChange: boolean;
}

/** A label may stand on the line before. */
const datedLines = (
  lines: ReadonlyArray<Block>,
  order: NumericOrder | null,
  { step, toLabel }: Direction
): ReadonlyArray<DatedLine> =>
  lines.flatMap((block, at) => {
    const day = dayOf(block, order);
    if (day === null) return [];
    const label = lines[at + toLabel];
    const isLabelled = label !== undefined && CHANGED.test(label.text) && dayOf(label, order) === null;
    return [{ day, cost: step * (at + 1), isOfChange: isLabelled || CHANGED.test(block.text) }];
  });

/** Null where several days are told so. */
const onlyDay = (blocks: ReadonlyArray<Block>, order: NumericOrder | null): string | null => {
  const days = new Set(blocks.map((block) => dayOf(block, order)).filter((day) => day !== null));
  const [only = null] = days;
  return days.size === 1 ? only : null;
};

/** Characters of a line that is a day and little else. */
const BARE_CHARS_MAX = 30;

const datesElsewhere = (
  blocks: ReadonlyArray<Block>,
  order: NumericOrder | null
): Pick<BylineDates, "dateElsewhere" | "bareDate"> => {
  const dated = blocks.filter((block) => isLine(block) && /\d/.test(block.text));
  const published = dated.filter(({ text }) => PUBLISHED.test(text));
  const bare = dated.filter(({ text }) => text.length <= BARE_CHARS_MAX && !CHANGED.test(text));
  return { dateElsewhere: onlyDay(published, order), bareDate: onlyDay(bare, order) };
};

/** Where the text has begun: so many paragraphs after the heading. Days in it are those of what it tells. */
const PARAGRAPHS_MAX = 3;

/** Of what follows a heading, the lines before its text. */
export const beforeText = (after: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const paragraphs = after.flatMap((block, at) => (block.isProse && !isLine(block) ? [at] : []));
  return after.slice(0, paragraphs[PARAGRAPHS_MAX - 1] ?? after.length).filter(isLine);
};

/** `around`: the lines after the heading and those before it, the nearest first. */
export const bylineDates = (
  blocks: ReadonlyArray<Block>,
  around: Readonly<Record<"after" | "before", ReadonlyArray<Block>>>,
  language: string | null
): BylineDates => {
  const order = numericOrder(
    blocks.filter(isLine).map(({ text }) => text),
    language
  );
  const lines = [
    ...datedLines(around.after, order, FORWARD),
    ...datedLines(around.before, order, BACKWARD)
  ].toSorted((one, other) => one.cost - other.cost);
  const first = lines.find(({ isOfChange }) => !isOfChange) ?? lines[0];
  return {
    date: first?.day ?? null,
    isOfChange: first?.isOfChange ?? false,
    changed: lines.find(({ isOfChange }) => isOfChange)?.day ?? null,
    ...(first === undefined ? datesElsewhere(blocks, order) : { dateElsewhere: null, bareDate: null })
  };
};
