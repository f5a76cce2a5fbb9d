/**
 * Reads values of structured entities, one reader per shape. Undefined if a value is absent or ambiguous: a
 * price with a decimal comma, 3/4/2026. Tests: StructuredData.test.ts.
 */
import { isoDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";
import { amountOf, countOf } from "@winnow/core/domain/text/WrittenNumbers";
import { cleanText } from "@winnow/core/domain/text/CleanText";
import type { Resolve } from "../parse/Address.ts";
import { cut, decoded, oneLine, tidyLines } from "../parse/PlainText.ts";
import { type JsonLdGraph, type JsonLdNode, nodesOf, stringsOf, valuesOf } from "../parse/JsonLd.ts";
import { writtenDate } from "./PageDate.ts";
import { NAME_CHARS_MAX, STRUCTURED_LIST_MAX, STRUCTURED_TEXT_CHARS_MAX } from "../PageLimits.ts";
import { shownText } from "../parse/ParsedPage.ts";
import { splitTags, tagsOf } from "./PageTags.ts";

/** A node with the context needed to read it. */
interface ThingContext {
  readonly graph: JsonLdGraph;
  readonly node: JsonLdNode;
  readonly resolve: Resolve;
}

export type ThingReader = (context: ThingContext) => unknown;

const plain = (written: string): string | undefined =>
  cut(
    tidyLines(cleanText(shownText(written.slice(0, 4 * STRUCTURED_TEXT_CHARS_MAX)))),
    STRUCTURED_TEXT_CHARS_MAX
  ) || undefined;

const line = (written: string | undefined): string | undefined =>
  oneLine(decoded(written ?? ""), NAME_CHARS_MAX) ?? undefined;

const firstRead = <A>(values: ReadonlyArray<string>, read: (text: string) => A | null | undefined) => {
  for (const value of values) {
    const found = read(value);
    if (found !== null && found !== undefined) return found;
  }
  return undefined;
};

const all = ({ graph, node }: ThingContext, keys: ReadonlyArray<string>, inner?: ReadonlyArray<string>) =>
  keys.flatMap((key) => stringsOf(graph, node, key, inner));

/** Without undefined values; undefined if nothing is left. */
const filled = <A extends object>(values: A): A | undefined => {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as A);
};

const listed = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> | undefined => {
  const present = values.filter((value) => value !== undefined).slice(0, STRUCTURED_LIST_MAX);
  return present.length === 0 ? undefined : present;
};

const inside = ({ graph, node, resolve }: ThingContext, key: string): ReadonlyArray<ThingContext> =>
  nodesOf(graph, node, key).map((inner) => ({ graph, node: inner, resolve }));

export const text =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), line);

export const longText =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), plain);

export const texts =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    listed([...new Set(all(context, keys).map(line))]);

export const keywords: ThingReader = (context) =>
  listed(tagsOf(all(context, ["keywords"]).flatMap(splitTags)));

export const date =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), writtenDate);

export const seconds =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), (written) => isoDurationSeconds(written) || null);

export const whole =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), countOf);

export const flag =
  (key: string): ThingReader =>
  ({ graph, node }) => {
    const [value] = valuesOf(graph, node, key);
    const word = String(value).toLowerCase();
    return word === "true" ? true : word === "false" ? false : undefined;
  };

const address = (context: ThingContext, keys: ReadonlyArray<string>): string | undefined =>
  firstRead(all(context, keys, ["url", "contentUrl", "@id"]), context.resolve);

export const url =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    address(context, keys);

export const images: ThingReader = (context) =>
  listed([
    ...new Set(
      all(context, ["image", "thumbnailUrl"], ["url", "contentUrl", "@id"]).map(
        (written) => context.resolve(written) ?? undefined
      )
    )
  ]);

/** The last segment of a schema.org URL. */
const word = (written: string): string | null => /([A-Za-z]+)\/?\s*$/.exec(written)?.[1] ?? null;

export const term =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), word);

const amount =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    firstRead(all(context, keys), amountOf);

const party = (context: ThingContext, value: unknown): { name: string; url?: string } | undefined => {
  const [written] = stringsOf(context.graph, { party: value }, "party");
  const name = line(written);
  if (name === undefined || /^https?:/i.test(name)) return undefined;
  const isNode = typeof value === "object" && value !== null;
  const link = isNode ? address({ ...context, node: value as JsonLdNode }, ["url"]) : undefined;
  return link === undefined ? { name } : { name, url: link };
};

export const parties =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    listed(
      keys.flatMap((key) => valuesOf(context.graph, context.node, key).map((value) => party(context, value)))
    );

export const oneParty =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    (parties(...keys)(context) as ReadonlyArray<unknown> | undefined)?.[0];

const postal = (context: ThingContext): string | undefined => {
  const [inner] = inside(context, "address");
  if (inner === undefined) return line(all(context, ["address"])[0]);
  const parts = ["streetAddress", "addressLocality", "addressRegion", "postalCode", "addressCountry"];
  return line(parts.flatMap((key) => all(inner, [key]).slice(0, 1)).join(", "));
};

export const places =
  (...keys: ReadonlyArray<string>): ThingReader =>
  (context) =>
    listed(
      keys.flatMap((key) =>
        valuesOf(context.graph, context.node, key).map((value) => {
          if (typeof value === "string") return filled({ name: line(value) });
          if (typeof value !== "object" || value === null) return undefined;
          const inner = { ...context, node: value as JsonLdNode };
          return filled({
            name: line(all(inner, ["name"])[0]),
            address: postal(inner),
            url: address(inner, ["url"])
          });
        })
      )
    );

export const rating: ThingReader = (context) => {
  const [inner] = inside(context, "aggregateRating");
  return inner === undefined
    ? undefined
    : filled({
        value: amount("ratingValue")(inner),
        best: amount("bestRating")(inner),
        ratingCount: whole("ratingCount")(inner),
        reviewCount: whole("reviewCount")(inner)
      });
};

const offer = (context: ThingContext): object | undefined => {
  const [specified = context] = inside(context, "priceSpecification");
  return filled({
    price: amount("price")(context) ?? amount("price")(specified),
    lowPrice: amount("lowPrice")(context),
    highPrice: amount("highPrice")(context),
    currency: text("priceCurrency")(context) ?? text("priceCurrency")(specified),
    availability: term("availability")(context),
    condition: term("itemCondition")(context),
    offerCount: whole("offerCount")(context),
    priceValidUntil: date("priceValidUntil", "validThrough")(context),
    seller: text("seller", "offeredBy")(context),
    url: address(context, ["url"])
  });
};

export const offers: ThingReader = (context) => listed(inside(context, "offers").map(offer));

/** Steps in order; sections contain steps themselves. */
export const steps: ThingReader = (context) => {
  const found: Array<string | undefined> = [];
  const add = (value: unknown, depth: number): void => {
    if (typeof value === "string") found.push(...(plain(value) ?? "").split("\n").filter(Boolean));
    else if (Array.isArray(value)) value.forEach((each) => add(each, depth));
    else if (typeof value === "object" && value !== null && depth < 3) {
      const inner = { ...context, node: value as JsonLdNode };
      const parts = valuesOf(context.graph, inner.node, "itemListElement").filter(Boolean);
      if (parts.length > 0) parts.forEach((part) => add(part, depth + 1));
      else found.push(firstRead(all(inner, ["text", "name"]), plain));
    }
  };
  valuesOf(context.graph, context.node, "recipeInstructions").forEach((value) => add(value, 0));
  return listed(found);
};

export const nutrition: ThingReader = (context) => {
  const [inner] = inside(context, "nutrition");
  if (inner === undefined) return undefined;
  const facts = Object.keys(inner.node).filter((key) => /^(?!@)\w{1,40}$/.test(key));
  return filled(Object.fromEntries(facts.map((key) => [key, text(key)(inner)])));
};

export const salary: ThingReader = (context) => {
  const [inner] = inside(context, "baseSalary");
  if (inner === undefined) return undefined;
  const [range = inner] = inside(inner, "value");
  return filled({
    currency: text("currency")(inner),
    value: amount("value")(range),
    min: amount("minValue")(range),
    max: amount("maxValue")(range),
    unit: text("unitText")(range) ?? text("unitText")(inner)
  });
};

export const isRemote: ThingReader = (context) =>
  all(context, ["jobLocationType"]).some((written) => /telecommute/i.test(written)) ? true : undefined;
