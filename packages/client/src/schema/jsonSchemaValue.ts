/**
 * The type of the values of a JSON Schema literal, inline or `as const`. Unknown keywords do not narrow the type;
 * what cannot be inferred is `unknown`. test/typing.test.ts has an example of every keyword.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object without known members; every schema describes an object at its root. */
export type Values = Readonly<Record<string, unknown>>;

interface TypeNames {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

/** `& {}` makes editors and compilers show the members. */
type Flat<T> = { [Key in keyof T]: T[Key] } & {};

type RequiredKeys<S, Properties> = S extends { readonly required: ReadonlyArray<infer Key> }
  ? Key & keyof Properties
  : never;

type ObjectValue<S, Root> = S extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in RequiredKeys<S, Properties>]: JsonSchemaValue<Properties[Key], Root> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredKeys<S, Properties>>]?: JsonSchemaValue<
          Properties[Key],
          Root
        >;
      }
    >
  : S extends { readonly additionalProperties: infer Member extends object }
    ? Record<string, JsonSchemaValue<Member, Root>>
    : Record<string, unknown>;

type ArrayValue<S, Root> = S extends { readonly items: infer Item }
  ? Array<JsonSchemaValue<Item, Root>>
  : Array<unknown>;

type NamedValue<Name, S, Root> = Name extends keyof TypeNames
  ? TypeNames[Name]
  : Name extends "object"
    ? ObjectValue<S, Root>
    : Name extends "array"
      ? ArrayValue<S, Root>
      : unknown;

type Definitions<Root> = Root extends { readonly $defs: infer Found }
  ? Found
  : Root extends { readonly definitions: infer Found }
    ? Found
    : never;

type Referred<Path, Root> = Path extends "#"
  ? Root
  : Path extends `#/$defs/${infer Name}` | `#/definitions/${infer Name}`
    ? Name extends keyof Definitions<Root>
      ? Definitions<Root>[Name]
      : unknown
    : unknown;

type All<Members, Root> = Members extends readonly [infer First, ...infer Rest]
  ? JsonSchemaValue<First, Root> & All<Rest, Root>
  : unknown;

/**
 * `{ type: "object", properties: { age: { type: ["integer", "null"] } }, required: ["age"] }` is
 * `{ age: number | null }`. `Root` is where `$ref`s start.
 */
export type JsonSchemaValue<S, Root = S> = S extends { readonly $ref: infer Path }
  ? JsonSchemaValue<Referred<Path, Root>, Root>
  : S extends { readonly const: infer Value }
    ? Value
    : S extends { readonly enum: ReadonlyArray<infer Value> }
      ? Value
      : S extends { readonly anyOf: ReadonlyArray<infer Member> }
        ? JsonSchemaValue<Member, Root>
        : S extends { readonly oneOf: ReadonlyArray<infer Member> }
          ? JsonSchemaValue<Member, Root>
          : S extends { readonly allOf: infer Members }
            ? All<Members, Root>
            : S extends { readonly type: ReadonlyArray<infer Name> }
              ? NamedValue<Name, S, Root>
              : S extends { readonly type: infer Name }
                ? NamedValue<Name, S, Root>
                : S extends { readonly properties: unknown }
                  ? ObjectValue<S, Root>
                  : unknown;
