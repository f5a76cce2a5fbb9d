/**
 * Entities that a page describes in JSON-LD or microdata. If two descriptions of one entity, or one and Open
 * Graph, state different values for a field, the first counts (JSON-LD, microdata, Open Graph), and all of them are
 * reported.
 */
import type { Contradiction, StructuredThing, WrittenDate } from "@winnow/core/domain/source/StructuredData";
import { areSameDates, writtenDate } from "./PageDate.ts";
import type { FactScan } from "./FactScan.ts";
import { amountOf } from "./ThingReaders.ts";
import type { Resolve } from "../parse/Address.ts";
import { hasType, type JsonLdGraph, type JsonLdNode } from "../parse/JsonLd.ts";
import { STRUCTURED_THINGS_MAX } from "../PageLimits.ts";
import { folded } from "../parse/PlainText.ts";
import { THING_TYPES, type ThingField, type ThingType } from "./ThingTypes.ts";

const AVAILABILITIES: Readonly<Record<string, string>> = {
  oos: "OutOfStock",
  instock: "InStock",
  outofstock: "OutOfStock",
  preorder: "PreOrder",
  backorder: "BackOrder",
  discontinued: "Discontinued"
};

/** Open Graph's values for the entity the page is about, used only to verify its structured description. */
const sharedValues = (
  type: StructuredThing["type"],
  { meta }: FactScan
): Readonly<Record<string, unknown>> => {
  const first = (...keys: ReadonlyArray<string>): string | undefined =>
    keys.flatMap((key) => meta.get(key)?.slice(0, 1) ?? [])[0];
  if (type === "Product") {
    const availability = first("product:availability", "og:availability")
      ?.toLowerCase()
      .replace(/[^a-z]/g, "");
    const offer = {
      price: amountOf(first("product:price:amount", "og:price:amount") ?? "") ?? undefined,
      currency: first("product:price:currency", "og:price:currency"),
      availability: AVAILABILITIES[availability ?? ""]
    };
    return { offers: [offer], brand: first("product:brand") };
  }
  if (type === "Article") return { publishedAt: writtenDate(first("article:published_time")) ?? undefined };
  if (type === "VideoObject") {
    const seconds = first("og:video:duration", "video:duration");
    return { durationSeconds: /^\d+$/.test(seconds ?? "") ? Number(seconds) : undefined };
  }
  return {};
};

type Values = Readonly<Record<string, unknown>>;

/** A value of an entity, with the place that states it. */
interface Description {
  readonly source: "json-ld" | "microdata" | "open-graph";
  readonly values: Values;
}

interface Statement {
  readonly source: string;
  readonly value: unknown;
}

type Differing = ReadonlyArray<Omit<Contradiction, "type">>;

/** The value of a field, and what else is stated for it. */
interface Chosen {
  readonly value: unknown;
  readonly differing: Differing;
}

const isDate = (value: unknown): value is WrittenDate =>
  typeof value === "object" && value !== null && "precision" in value;

const isSame = (one: unknown, other: unknown): boolean => {
  if (isDate(one) && isDate(other)) return areSameDates(one, other);
  if (typeof one === "string" && typeof other === "string") {
    const [a, b] = [folded(one).replaceAll(" ", ""), folded(other).replaceAll(" ", "")];
    return a === b;
  }
  return one === other;
};

const textOf = (value: unknown): string => (isDate(value) ? value.value : String(value));

const differingOf = (field: string, statements: ReadonlyArray<Statement>): Differing =>
  statements.every(({ value }) => isSame(value, statements[0]?.value))
    ? []
    : [{ field, said: statements.map(({ source, value }) => ({ source, value: textOf(value) })) }];

const stated = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Parts of which pages give another wording or form of the same. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["url", "seller"]);

/** Of each part the first, wherever it is stated. */
const chosenParts = (field: string, statements: ReadonlyArray<Statement>): Chosen | null => {
  const objects = statements.map(({ source, value }) => ({ source, parts: stated(value as Values) }));
  const value: Values = Object.assign({}, ...objects.map(({ parts }) => parts).toReversed());
  const differing = Object.keys(value)
    .filter((name) => !NOT_COMPARED.has(name))
    .flatMap((name) =>
      differingOf(
        `${field}.${name}`,
        objects.flatMap(({ parts, source }) =>
          parts[name] === undefined ? [] : [{ source, value: parts[name] }]
        )
      )
    );
  return Object.keys(value).length === 0 ? null : { value, differing };
};

const isSingle = (value: unknown): value is readonly [unknown] => Array.isArray(value) && value.length === 1;

/** Null if nothing is stated, or only by Open Graph, whose values are of the page as a whole. */
const chosenOf = (
  [name, , comparison]: ThingField,
  descriptions: ReadonlyArray<Description>
): Chosen | null => {
  const statements = descriptions.flatMap(({ source, values }) =>
    values[name] === undefined ? [] : [{ source, value: values[name] }]
  );
  const first = statements[0];
  if (first === undefined || first.source === "open-graph") return null;
  if (comparison === "exact") return { value: first.value, differing: differingOf(name, statements) };
  if (comparison === "free") return { value: first.value, differing: [] };
  if (!Array.isArray(first.value)) return chosenParts(name, statements);
  // Several offers cannot be matched between lists: only single ones are compared.
  if (!statements.every(({ value }) => isSingle(value))) return { value: first.value, differing: [] };
  const opened = statements.map(({ source, value }) => ({ source, value: (value as readonly [unknown])[0] }));
  const chosen = chosenParts(name, opened);
  return chosen === null ? null : { ...chosen, value: [chosen.value] };
};

const describe = ({ fields }: ThingType, graph: JsonLdGraph, node: JsonLdNode, resolve: Resolve): Values =>
  stated(Object.fromEntries(fields.map(([name, read]) => [name, read({ graph, node, resolve })])));

const nameOf = ({ values }: Description): string =>
  folded(String(values["name"] ?? values["headline"] ?? values["title"] ?? ""));

const areOneThing = (one: Description, other: Description): boolean => {
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === "" || b === "" || a.includes(b) || b.includes(a);
};

/** Groups descriptions of the same entity, in order of first occurrence. */
const grouped = (descriptions: ReadonlyArray<Description>): ReadonlyArray<ReadonlyArray<Description>> => {
  const groups: Array<Array<Description>> = [];
  for (const description of descriptions) {
    const group = groups.find(([first]) => first !== undefined && areOneThing(first, description));
    if (group !== undefined) group.push(description);
    else if (groups.length < STRUCTURED_THINGS_MAX) groups.push([description]);
  }
  return groups;
};

interface Found {
  readonly structured: ReadonlyArray<StructuredThing>;
  readonly contradictions: ReadonlyArray<Contradiction>;
}

const thingsOf = (thing: ThingType, scan: FactScan, resolve: Resolve): Found => {
  const from = (source: "json-ld" | "microdata", graph: JsonLdGraph): ReadonlyArray<Description> =>
    graph.entities
      .filter((node) => hasType(node, thing.names))
      .map((node) => ({ source, values: describe(thing, graph, node, resolve) }))
      .filter(({ values }) => Object.keys(values).length > 0);
  const groups = grouped([...from("json-ld", scan.jsonLd), ...from("microdata", scan.microdata)]);
  const structured: Array<StructuredThing> = [];
  const contradictions: Array<Contradiction> = [];
  for (const group of groups) {
    const origin = group[0]?.source ?? "json-ld";
    // Open Graph's values apply to the page as a whole.
    const shared: ReadonlyArray<Description> =
      groups.length === 1 ? [{ source: "open-graph", values: sharedValues(thing.type, scan) }] : [];
    const values: Record<string, unknown> = {};
    for (const field of thing.fields) {
      const chosen = chosenOf(field, [...group, ...shared]);
      if (chosen === null) continue;
      values[field[0]] = chosen.value;
      contradictions.push(...chosen.differing.map((each) => ({ type: thing.type, ...each })));
    }
    if (Object.keys(values).length > 0)
      structured.push({ type: thing.type, origin, values } as StructuredThing);
  }
  return { structured, contradictions };
};

export const structuredData = ({ scan }: { readonly scan: FactScan }, resolve: Resolve): Found => {
  const found = THING_TYPES.map((thing) => thingsOf(thing, scan, resolve));
  return {
    structured: found.flatMap(({ structured }) => structured),
    contradictions: found.flatMap(({ contradictions }) => contradictions)
  };
};
