/** A kind of page of the trial: its schema, how its pages are written, and what a reader finds in them. */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
export interface Kind<Facts> {
  readonly name: string;
  readonly schema: JsonObject;
  readonly write: (facts: Facts) => {
    readonly title: string;
    readonly text: string;
  };
  readonly read: (facts: Facts) => Readonly<Record<string, string | number>>;
  readonly all: ReadonlyArray<Facts>;
}
export declare const object: (properties: JsonObject, required?: ReadonlyArray<string>) => JsonObject;
export declare const text: (description: string) => JsonObject;
export declare const orNull: (type: string, description: string) => JsonObject;
export declare const date: (description: string) => JsonObject;
export declare const paragraphs: (...lines: ReadonlyArray<string>) => string;
