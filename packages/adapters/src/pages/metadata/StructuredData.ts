/**
 * Entities that a page describes in JSON-LD or microdata. If two descriptions of one entity, or one and Open
 * Graph, state different values for a field, there is no way to know which is right: the field is left out, and
 * all values are reported.
 */
import type { Contradiction, StructuredThing, WrittenDate } from "@winnow/core/domain/source/StructuredData";
import type { Resolve } from "../tree/Address.ts";
import { hasType, type JsonLdGraph, type JsonLdNode } from "../tree/JsonLd.ts";
import { STRUCTURED_THINGS_MAX } from "../PageLimits.ts";
import type { PageScan } from "../tree/PageScan.ts";
import { folded } from "../tree/PlainText.ts";
import { areSameDates } from "./WrittenDates.ts";
import { sharedValues } from "./SharedValues.ts";
import { THING_TYPES, type ThingField, type ThingType } from "./ThingTypes.ts";

type Values = Readonly<Record<string, unknown>>;

/** A value of an entity, with the place that states it. */
interface Description {
  readonly source: "json-ld" | "microdata" | "open-graph";
  readonly values: Values;
}

interface Merged {
  readonly values: Values;
  readonly contradictions: ReadonlyArray<Omit<Contradiction, "type">>;
}

interface Statement {
  readonly source: string;
  readonly value: unknown;
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

const mergeExact = (field: string, statements: ReadonlyArray<Statement>): Merged => {
  const [first] = statements;
  if (first === undefined) return { values: {}, contradictions: [] };
  const isClear = statements.every(({ value }) => isSame(value, first.value));
  return isClear
    ? { values: { value: first.value }, contradictions: [] }
    : {
        values: {},
        contradictions: [
          { field, said: statements.map(({ source, value }) => ({ source, value: textOf(value) })) }
        ]
      };
};

/** Every part that any of them has; parts that are not compared come from the first. */
const mergeParts = (field: string, statements: ReadonlyArray<Statement>): Merged => {
  const objects = statements.map(({ source, value }) => ({ source, parts: value as Values }));
  const names = new Set(objects.flatMap(({ parts }) => Object.keys(parts)));
  const merged = [...names].map((name) => {
    const each = objects
      .filter(({ parts }) => parts[name] !== undefined)
      .map(({ parts, source }) => ({ source, value: parts[name] }));
    const part =
      name === "url" || name === "seller"
        ? { values: { value: each[0]?.value }, contradictions: [] }
        : mergeExact(`${field}.${name}`, each);
    return { name, part };
  });
  return {
    values: Object.fromEntries(
      merged.flatMap(({ name, part }) => ("value" in part.values ? [[name, part.values["value"]]] : []))
    ),
    contradictions: merged.flatMap(({ part }) => part.contradictions)
  };
};

const mergeField = ([name, , comparison]: ThingField, descriptions: ReadonlyArray<Description>): Merged => {
  const statements = descriptions
    .filter(({ values }) => values[name] !== undefined)
    .map(({ source, values }) => ({ source, value: values[name] }));
  const first = statements.find(({ source }) => source !== "open-graph");
  if (first === undefined) return { values: {}, contradictions: [] };
  if (comparison === "exact") {
    const { contradictions, values } = mergeExact(name, statements);
    return { values: "value" in values ? { [name]: values["value"] } : {}, contradictions };
  }
  const lists = statements.filter(({ value }) => Array.isArray(value));
  // Several offers cannot be matched between lists: only single ones are compared.
  const areSingle = lists.every(({ value }) => (value as ReadonlyArray<unknown>).length === 1);
  if (comparison === "free" || !areSingle) return { values: { [name]: first.value }, contradictions: [] };
  const isList = lists.length > 0;
  const opened = isList
    ? lists.map(({ source, value }) => ({ source, value: (value as ReadonlyArray<unknown>)[0] }))
    : statements;
  const { contradictions, values } = mergeParts(name, opened);
  const isEmpty = Object.keys(values).length === 0;
  return { values: isEmpty ? {} : { [name]: isList ? [values] : values }, contradictions };
};

const describe = ({ fields }: ThingType, graph: JsonLdGraph, node: JsonLdNode, resolve: Resolve): Values =>
  Object.fromEntries(
    fields
      .map(([name, read]) => [name, read({ graph, node, resolve })] as const)
      .filter(([, value]) => value !== undefined)
  );

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

const thingsOf = (thing: ThingType, scan: PageScan, resolve: Resolve): Found => {
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
    const merged = thing.fields.map((field) => mergeField(field, [...group, ...shared]));
    contradictions.push(
      ...merged.flatMap((each) => each.contradictions.map((one) => ({ type: thing.type, ...one })))
    );
    const values = Object.assign({}, ...merged.map((each) => each.values));
    if (Object.keys(values).length > 0)
      structured.push({ type: thing.type, origin, values } as StructuredThing);
  }
  return { structured, contradictions };
};

export const structuredData = ({ scan }: { readonly scan: PageScan }, resolve: Resolve): Found => {
  const found = THING_TYPES.map((thing) => thingsOf(thing, scan, resolve));
  return {
    structured: found.flatMap(({ structured }) => structured),
    contradictions: found.flatMap(({ contradictions }) => contradictions)
  };
};
