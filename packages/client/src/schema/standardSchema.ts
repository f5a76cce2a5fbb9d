/**
 * The interfaces of schema libraries that the client uses: Standard Schema and Standard JSON Schema
 * (standardschema.dev, version 1), copied as types to avoid a dependency.
 */

export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** Zod (from 4.2) and ArkType implement it; Valibot, Effect Schema and others through a converter. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Without it, values are only validated by the service and have the type `Input`. */
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      /** May throw if JSON Schema cannot express the schema. */
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The output type of the schema's parser; without a parser, its input type. */
export type StandardValue<S extends StandardSchema> = S["~standard"] extends {
  readonly types?: infer Types;
  readonly validate: (value: unknown) => unknown;
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : NonNullable<S["~standard"]["types"]>["input"];
