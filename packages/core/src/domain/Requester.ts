/**
 * Who asked for an extraction: a program with an API key, a person in the web app, or an assistant.
 */
import * as Schema from "effect/Schema";

export const MadeBy = Schema.Literals(["api", "web", "mcp"]).annotate({ identifier: "MadeBy" });
export type MadeBy = typeof MadeBy.Type;

export const Requester = Schema.Struct({
  madeBy: MadeBy,
  /** Null without a key: a web session, the operator, an embedder. */
  apiKeyId: Schema.NullOr(Schema.String),
  /** As the key was called when it asked; it may be revoked since. */
  apiKeyName: Schema.NullOr(Schema.String)
});
export type Requester = typeof Requester.Type;

/** Who submits, and what they may spend. */
export interface Submitter {
  readonly requester: Requester;
  /** Credits in a day (UTC); null for as many as the account has. */
  readonly dailyCredits: number | null;
}

/** A program without a key of its own: an embedder, the operator, and extractions older than this record. */
export const UNNAMED_REQUESTER: Requester = { madeBy: "api", apiKeyId: null, apiKeyName: null };

export const UNNAMED_SUBMITTER: Submitter = { requester: UNNAMED_REQUESTER, dailyCredits: null };
