/**
 * The lists of facts that pages of some types are read for: the ingredients of a recipe, the specifications of a
 * product. Their entries are short and look like a menu to the block model, so they are recognized by what the page
 * states, by names and by headings. A language is added by the whole heading that its pages put above them.
 * Measured by bench/page-text.ts.
 */
import { hasType, stringsOf } from "../../parse/JsonLd.ts";
import { isExcluded, nameWords } from "../../parse/NoiseRules.ts";
import type { PageScan } from "../../parse/PageScan.ts";
import { headingLevel } from "../../parse/PageTree.ts";
import { foldedWords } from "../../parse/PlainText.ts";
import { isProduct } from "./ReaderAdditions.ts";
import { type Block, isWithin, type Region, regionsOf } from "./Blocks.ts";

/** How the facts of one type of page are recognized. */
interface FactKind {
  /** Class names and ids of the elements around them. */
  readonly names: RegExp;
  /** A whole heading above them. */
  readonly heading: RegExp;
  /** Elements that hold them below such a heading. */
  readonly holders: ReadonlySet<string>;
  /** Whether a section with such a name counts only within these holders. */
  readonly isTabular: boolean;
  /** Whether the page is of this type; names count only then. */
  readonly isAbout: (scan: PageScan) => boolean;
  /** The facts as the page's structured data states them. */
  readonly stated: (scan: PageScan) => ReadonlyArray<string>;
}

const RECIPES: ReadonlySet<string> = new Set(["Recipe"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol", "dl", "table", "menu"]);
const TABLES: ReadonlySet<string> = new Set(["dl", "table"]);

const ingredientsIn = ({ jsonLd, microdata }: PageScan): ReadonlyArray<string> =>
  [jsonLd, microdata].flatMap((graph) =>
    graph.entities
      .filter((entity) => hasType(entity, RECIPES))
      .flatMap((entity) =>
        ["recipeIngredient", "ingredients"].flatMap((key) => stringsOf(graph, entity, key))
      )
  );

const INGREDIENTS: FactKind = {
  names: /(?:^|[\s_-])(?:recipe-?)?ingredients?(?:[\s_-]|$)/i,
  heading:
    /^(?:the |recipe |les |gli |los )?(?:ingredients?(?: list)?|ingrédients|ingredienti|ingredientes|ingrediënten|ingredienser|ingredienssen|zutaten(?:liste)?|składniki|hozzávalók|suroviny|ingredience|ingrediencie|ingrediente|sastojci|sestavine|malzemeler|ainekset|hráefni|что нужно|ингредиенты|інгредієнти|съставки|συστατικά|υλικά|nguyên liệu|bahan(?:-bahan)?|材料|食材|用料|配料|재료|المكونات|المقادير|מצרכים|รายการส่วนผสม|ส่วนผสม|सामग्री)(?:\W.{0,40})?$/iu,
  holders: LISTS,
  isTabular: false,
  isAbout: (scan) =>
    [scan.jsonLd, scan.microdata].some((graph) => graph.entities.some((entity) => hasType(entity, RECIPES))),
  stated: ingredientsIn
};

const SPECIFICATIONS: FactKind = {
  names:
    /(?:^|[\s_-])(?:spec(?:ification)?s?(?:-?(?:table|list|sheet))?|tech(?:nical)?-?(?:details?|data|specs?)|product-?(?:attributes|specs?|specifications?)|shop-?attributes)(?:[\s_-]|$)/i,
  heading:
    /^(?:product |technical |tech |key |full )?(?:specifications?|specs|technical (?:details|data)|product details|product information|technische (?:daten|details|gegevens)|produktdetails|caractéristiques(?: techniques)?|fiche technique|especificaciones(?: técnicas)?|características(?: técnicas)?|especificações|specifiche(?: tecniche)?|caratteristiche(?: tecniche)?|specificaties|productspecificaties|specifikationer|tekniset tiedot|dane techniczne|specyfikacja|характеристики|технические характеристики|teknik özellikler|规格|规格参数|仕様|스펙)\W{0,3}$/iu,
  holders: TABLES,
  isTabular: true,
  isAbout: isProduct,
  stated: () => []
};

/** A section with more text holds other things too. */
const SECTION_CHARS_MAX = 4_000;
const ENTRIES_MIN = 2;

/** Entries of a list, and how far their own elements are looked for. */
const ENTRY_NAMES: ReadonlySet<string> = new Set(["li", "tr", "dt", "dd", "p"]);

const CONTROLS: ReadonlySet<string> = new Set(["button", "nav", "dialog", "tab"]);

/** The outermost region around a block with such a name that is not too large. */
const sectionNamed = (block: Block, names: RegExp): Region | null => {
  let found: Region | null = null;
  for (const region of regionsOf(block)) {
    if (region.chars > SECTION_CHARS_MAX) break;
    if (region.element.name !== "body" && names.test(nameWords(region.element))) found = region;
  }
  return found;
};

const entryOf = (block: Block): Region =>
  regionsOf(block).find(({ element }) => ENTRY_NAMES.has(element.name)) ?? block.box;

/** Blocks in sections with such names. */
const named = (
  blocks: ReadonlyArray<Block>,
  { holders, isTabular, names }: FactKind
): ReadonlyArray<ReadonlyArray<Block>> => {
  const listed = isTabular ? blocks.filter((block) => isWithin(block, holders)) : blocks;
  const sections = Map.groupBy(listed, (block) => sectionNamed(block, names));
  return [...sections].flatMap(([section, inside]) => {
    if (section === null || isExcluded(section.element)) return [];
    return new Set(inside.map(entryOf)).size < ENTRIES_MIN && section.twins.count < ENTRIES_MIN
      ? []
      : [inside];
  });
};

const HEADING_CHARS_MAX = 60;

/** Blocks between a heading and its list, such as the number of servings. */
const LEAD_BLOCKS_MAX = 3;
const SECTION_BLOCKS_MAX = 400;
const SUBHEADING_CHARS_MAX = 80;

const levelOf = ({ box }: Block): number => headingLevel(box.element) ?? Number.POSITIVE_INFINITY;

/** The lists below a heading, with short lines between them. */
const below = (blocks: ReadonlyArray<Block>, at: number, { holders }: FactKind): ReadonlyArray<Block> => {
  const heading = blocks[at] as Block;
  const found: Array<Block> = [];
  let waiting: Array<Block> = [];
  for (const block of blocks.slice(at + 1, at + 1 + SECTION_BLOCKS_MAX)) {
    if (levelOf(block) <= levelOf(heading) && levelOf(block) <= 6) break;
    if (isWithin(block, holders)) {
      found.push(...waiting, block);
      waiting = [];
      continue;
    }
    waiting.push(block);
    if (block.isProse || block.chars > SUBHEADING_CHARS_MAX || waiting.length > LEAD_BLOCKS_MAX) break;
  }
  return found.length < ENTRIES_MIN ? [] : [heading, ...found];
};

const headed = (blocks: ReadonlyArray<Block>, kind: FactKind): ReadonlyArray<ReadonlyArray<Block>> =>
  blocks.flatMap((block, at) => {
    const isHeading =
      block.chars <= HEADING_CHARS_MAX && !isWithin(block, kind.holders) && kind.heading.test(block.text);
    const section = isHeading ? below(blocks, at, kind) : [];
    return section.length === 0 ? [] : [section];
  });

const keyOf = (text: string): string => foldedWords(text).join("");

/** Lists in which this many entries are stated facts. */
const STATED_SHARE_MIN = 0.4;

/** The texts of regions that are short enough to be an entry. */
const entryTexts = (blocks: ReadonlyArray<Block>, charsMax: number): ReadonlyMap<Region, string> => {
  const texts = new Map<Region, string>();
  for (const block of blocks)
    for (const region of regionsOf(block)) {
      if (region.chars > charsMax) break;
      texts.set(region, `${texts.get(region) ?? ""} ${block.text}`);
    }
  return texts;
};

/** Lists of which many entries are stated in the structured data. */
const statedLists = (
  blocks: ReadonlyArray<Block>,
  stated: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<Block>> => {
  const keys = new Set(stated.map(keyOf).filter((key) => key !== ""));
  if (keys.size === 0) return [];
  const charsMax = 2 * Math.max(...[...keys].map(({ length }) => length));
  const texts = entryTexts(blocks, charsMax);
  const byList = Map.groupBy(texts.keys(), ({ parent }) => parent);
  return [...byList].flatMap(([list, entries]) => {
    const found = entries.filter((entry) => keys.has(keyOf(texts.get(entry) ?? "")));
    if (list === null || found.length < ENTRIES_MIN) return [];
    const isList = found.length >= STATED_SHARE_MIN * entries.length;
    const wanted = new Set(isList ? entries : found);
    return [blocks.filter((block) => regionsOf(block).some((region) => wanted.has(region)))];
  });
};

/** A section of which this share is selected already is a copy of what is selected. */
const COPIED_SHARE_MAX = 0.6;

/** Adds the facts to the selected blocks, each section once. */
export const withFactLists = (
  blocks: ReadonlyArray<Block>,
  kept: ReadonlyArray<Block>,
  scan: PageScan
): ReadonlyArray<Block> => {
  const all = new Set(kept);
  if (kept.length === 0) return kept;
  const own = blocks.filter((block) => !isWithin(block, CONTROLS));
  for (const kind of [INGREDIENTS, SPECIFICATIONS]) {
    const sections = [
      ...headed(own, kind),
      ...(kind.isAbout(scan) ? named(own, kind) : []),
      ...statedLists(own, kind.stated(scan))
    ];
    for (const section of sections) {
      const texts = new Set([...all].map(({ text }) => text));
      const others = section.filter((block) => !all.has(block));
      const copied = others.filter(({ text }) => texts.has(text));
      if (others.length === 0 || copied.length > COPIED_SHARE_MAX * section.length) continue;
      for (const block of others) all.add(block);
    }
  }
  return blocks.filter((block) => all.has(block));
};
