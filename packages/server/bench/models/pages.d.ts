/**
 * The pages of the trial: thirty short texts of our own with six kinds of schema, and what a reader finds in them. Of
 * each kind, four pages have the values, and the fifth is about something else.
 */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
export interface TrialPage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly schema: JsonObject;
  /** Values by pointer; null if the page is about something else. */
  readonly expected: Readonly<Record<string, string | number>> | null;
}
/** One of each kind after the other, so that a part of them is a fair part. */
export declare const PAGES: ReadonlyArray<TrialPage>;
