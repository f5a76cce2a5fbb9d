/**
 * The keywords of JSON Schema, and what becomes of each: whether a provider holds the model to it while it writes,
 * and whether the model is told of it in words. Answers are held to them by
 * adapters/schema. docs/schemas.md shows this list.
 */
export interface Construct {
  readonly keywords: ReadonlyArray<string>;
  /** `part`: as far as {@link note} says. */
  readonly enforced: "yes" | "part" | "no";
  /** The sentence of its own that the model reads holds the keyword and its value. */
  readonly isTold: boolean;
  /** Whether an answer that breaks it is refused; else it is a hint to the model and no more. */
  readonly isChecked: boolean;
  readonly note: string;
}
export declare const FORMATS_ENFORCED: ReadonlySet<string>;
export declare const CONSTRUCTS: ReadonlyArray<Construct>;
//# sourceMappingURL=Constructs.d.ts.map
