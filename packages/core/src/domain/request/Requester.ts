/** Who submitted an extraction: a program with an API key, a person or an assistant. Tests: the server's listFilters.test.ts. */
import * as Schema from "effect/Schema";

export const MadeBy = Schema.Literals(["api", "web", "mcp"]).annotate({ identifier: "MadeBy" });
export type MadeBy = typeof MadeBy.Type;

export const Requester = Schema.Struct({
  madeBy: MadeBy,
  /** Null without an API key: a web session, the operator, or an embedder. */
  apiKeyId: Schema.NullOr(Schema.String),
  /** Name of the key at the time of the request; it may have been revoked since. */
  apiKeyName: Schema.NullOr(Schema.String)
});
export type Requester = typeof Requester.Type;

/** The submitter and their spending limit. */
export interface Submitter {
  readonly requester: Requester;
  /** Credits per UTC day; null for no limit. */
  readonly dailyCredits: number | null;
}

/** A program without its own key: an embedder or the operator. */
export const UNNAMED_REQUESTER: Requester = { madeBy: "api", apiKeyId: null, apiKeyName: null };

export const UNNAMED_SUBMITTER: Submitter = { requester: UNNAMED_REQUESTER, dailyCredits: null };
