/**
 * What the client needs of a schema library: Standard Schema and Standard JSON Schema (standardschema.dev,
 * version 1), copied as types so that nothing has to be installed.
 */

export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** Zod (from 4.2) and ArkType as they are; Valibot, Effect Schema and others through their converter. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Without it values are taken as the service checked them: of the type `Input`. */
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      /** May throw when JSON Schema cannot express it. */
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** What the schema's parser makes of a value; without a parser, what goes in. */
export type StandardValue<S extends StandardSchema> = S["~standard"] extends {
  readonly types?: infer Types;
  readonly validate: (value: unknown) => unknown;
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : NonNullable<S["~standard"]["types"]>["input"];
