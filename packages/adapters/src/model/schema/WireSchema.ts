/**
 * The schema that providers enforce: within the subset of OpenAI's strict mode (every property required, no others,
 * no `oneOf`, `allOf`, `not` or conditions). Descriptions state what it omits. Tests: Enforced.test.ts, Projection.test.ts.
 */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import {
  allowsNull,
  ANY_TEXT,
  type Json,
  type Leaf,
  type Property,
  optionName,
  type Shape,
  type ShapeId,
  type ShapeTable,
  type Union
} from "./Shape.ts";

const NULL: JsonObject = { type: "null" };

const closed = (properties: ReadonlyArray<readonly [string, Json]>): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(properties),
  required: properties.map(([name]) => name),
  additionalProperties: false
});

const described = (schema: JsonObject, words: string): JsonObject => {
  if (words === "") return schema;
  // References have no siblings in strict mode.
  return schema["$ref"] === undefined
    ? { ...schema, description: words }
    : { anyOf: [schema], description: words };
};

const leaf = ({ type, values, keywords }: Leaf): JsonObject => ({
  type,
  ...(values === null ? {} : { enum: values }),
  ...keywords
});

const bounded = (schema: JsonObject, min: number | null, max: number | null): JsonObject => ({
  ...schema,
  ...(min === null ? {} : { minItems: min }),
  ...(max === null ? {} : { maxItems: max })
});

const ANYTHING: JsonObject = {
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    NULL,
    {
      ...closed([[ANY_TEXT, { type: "string" }]]),
      description: `An object or array: its JSON as text in "${ANY_TEXT}".`
    }
  ]
};

/** Start of a list's description that keeps models from filling it without need. */
const UNLESS_REQUESTED = "Empty, unless";

/** Properties that the schemas of the root and of objects within it do not name. */
const ADDITIONAL_PROPERTIES: JsonObject = {
  type: "array",
  items: closed([
    ["key", { type: "string" }],
    ["value", ANYTHING]
  ]),
  description: `${UNLESS_REQUESTED} the user's guidance requests members that the schema does not name. key: a name, or a JSON pointer from here such as "/items/0/colour".`
};

const orNull = (schema: JsonObject): JsonObject =>
  Array.isArray(schema["anyOf"]) && schema["description"] === undefined
    ? { anyOf: [...schema["anyOf"], NULL] }
    : { anyOf: [schema, NULL] };

export interface WireSchema {
  /** The schema of the whole value; references `definitions`. */
  readonly schema: JsonObject;
  /** For `$defs` at the root of the request's schema. */
  readonly definitions: JsonObject;
}

const describeName = (name: string, wireName: string): string =>
  name === wireName ? "" : `Its name is ${JSON.stringify(name)}.`;

class Emitter {
  readonly definitions = new Map<string, JsonObject>();
  readonly #table: ShapeTable;

  constructor(table: ShapeTable) {
    this.#table = table;
  }

  ofId(id: ShapeId): JsonObject {
    const row = this.#table.rows[id];
    if (row === undefined) return ANYTHING;
    if (!row.shared) return described(this.#ofShape(row.shape), row.words);
    const name = `shape_${id}`;
    if (!this.definitions.has(name)) {
      this.definitions.set(name, {});
      this.definitions.set(name, described(this.#ofShape(row.shape), row.words));
    }
    return { $ref: `#/$defs/${name}` };
  }

  #property({ name, wireName, shape, required }: Property): readonly [string, Json] {
    const schema = this.ofId(shape);
    const isNullable = !required && !allowsNull(this.#table, shape);
    const optional = isNullable ? orNull(schema) : schema;
    const notes = [
      describeName(name, wireName),
      typeof optional["description"] === "string" ? optional["description"] : ""
    ];
    return [wireName, name === wireName ? optional : described(optional, notes.filter(Boolean).join(" "))];
  }

  #entries(values: ShapeId, keys: JsonObject): JsonObject {
    const items = closed([
      ["key", { type: "string", ...keys }],
      ["value", this.ofId(values)]
    ]);
    return { type: "array", items };
  }

  #union(shape: Union): JsonObject {
    const options = shape.options.map((option, place) =>
      shape.tagged.has(option) ? closed([[optionName(place), this.ofId(option)]]) : this.ofId(option)
    );
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { anyOf: options };
  }

  #ofShape(shape: Shape): JsonObject {
    switch (shape._tag) {
      case "Leaf":
        return leaf(shape);
      case "Any":
        return ANYTHING;
      case "Never":
        return NULL;
      case "Object":
        return closed([
          ...shape.properties.map((property) => this.#property(property)),
          ...(shape.extra === null
            ? []
            : [
                [
                  shape.extraName,
                  shape.listsAdditional ? ADDITIONAL_PROPERTIES : this.#entries(shape.extra, shape.extraKeys)
                ] as const
              ])
        ]);
      case "Map":
        return bounded(this.#entries(shape.values, shape.keys), shape.minEntries, shape.maxEntries);
      case "Array":
        return bounded({ type: "array", items: this.ofId(shape.items) }, shape.minItems, shape.maxItems);
      case "Union":
        return this.#union(shape);
    }
  }
}

export const wireSchema = (table: ShapeTable): WireSchema => {
  const emitter = new Emitter(table);
  const schema = emitter.ofId(table.root);
  return { schema, definitions: Object.fromEntries(emitter.definitions) };
};
