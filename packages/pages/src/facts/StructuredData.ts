/**
 * Entities that a page describes in JSON-LD or microdata. Of several descriptions of one entity, the first that has a
 * field counts; JSON-LD comes before microdata.
 */
import type { StructuredThing } from "@winnow/core/domain/source/StructuredData";
import type { FactScan } from "./FactScan.ts";
import type { Resolve } from "../parse/Address.ts";
import { hasType, type JsonLdGraph } from "../parse/JsonLd.ts";
import { STRUCTURED_THINGS_MAX } from "../PageLimits.ts";
import { folded } from "../parse/PlainText.ts";
import { THING_TYPES, type ThingType } from "./ThingTypes.ts";

/** Before its fields are known to be those of its type, which their readers ensure. */
interface Description {
  readonly type: StructuredThing["type"];
  readonly origin: StructuredThing["origin"];
  readonly values: Readonly<Record<string, unknown>>;
}

const nameOf = ({ values }: Description): string =>
  folded(String(values["name"] ?? values["headline"] ?? values["title"] ?? ""));

const areOneThing = (one: Description, other: Description): boolean => {
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === "" || b === "" || a.includes(b) || b.includes(a);
};

const described = ({ fields, names, type }: ThingType, scan: FactScan, resolve: Resolve) => {
  const from = (origin: Description["origin"], graph: JsonLdGraph): ReadonlyArray<Description> =>
    graph.entities
      .filter((node) => hasType(node, names))
      .map((node) => {
        const read = Object.entries(fields).map(([name, reader]) => [name, reader({ graph, node, resolve })]);
        return { type, origin, values: Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
      })
      .filter(({ values }) => Object.keys(values).length > 0);
  return [...from("json-ld", scan.jsonLd), ...from("microdata", scan.microdata)];
};

const thingsOf = (descriptions: ReadonlyArray<Description>): ReadonlyArray<Description> => {
  const things: Array<Description> = [];
  for (const each of descriptions) {
    const at = things.findIndex((thing) => areOneThing(thing, each));
    const known = things[at];
    if (known !== undefined) things[at] = { ...known, values: { ...each.values, ...known.values } };
    else if (things.length < STRUCTURED_THINGS_MAX) things.push(each);
  }
  return things;
};

export const structuredData = (scan: FactScan, resolve: Resolve): ReadonlyArray<StructuredThing> =>
  THING_TYPES.flatMap((type) => thingsOf(described(type, scan, resolve)) as ReadonlyArray<StructuredThing>);
