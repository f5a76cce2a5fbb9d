/**
 * Error texts that a model can act on: `code: message remedy`. Hosts show only the text of an error.
 * Tests: tools.test.ts, the server's McpHttp.test.ts.
 */

import { ApiError, WinnowError, type ErrorDetails } from "../core/apiError.ts";
import { REMEDIES } from "../generated/remedies.ts";

/** Thrown by a tool itself, without a response of the API. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;
  readonly details: ErrorDetails = {};
  readonly retryAfterSeconds = null;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Failure = ToolError | ApiError;

/** Words to follow the highest price that a call may have: "500, the operator's limit for one call, …". */
export const CEILING_WORDS =
  "the operator's limit for one call, WINNOW_MCP_MAX_CREDITS: send fewer " +
  "URLs, request fewer `parts` or `inputs`, or tell the user.";

const remedyOf = (name: string, { message, retryAfterSeconds, details }: Failure): string => {
  const hint = details["hint"];
  if (typeof hint === "string") return hint;
  // "120 requests a minute are allowed here; try again in 12 s." says it already.
  if (/try again in \d+ s\.$/u.test(message)) return "";
  if (retryAfterSeconds !== null) return `Try again in ${retryAfterSeconds} s.`;
  return REMEDIES[name] ?? "";
};

/** The code, or a reason that is more helpful. */
const nameOf = ({ code, details }: Failure): string => {
  const { reason } = details;
  return typeof reason === "string" && Object.hasOwn(REMEDIES, reason) ? reason : code;
};

const numbersOf = ({ details }: Failure): string => {
  const known = ["cost", "credits", "maxCredits", "balance", "dailyCredits", "usedToday"];
  const numbers = known.filter((name) => typeof details[name] === "number");
  return numbers.length === 0
    ? ""
    : ` (${numbers.map((name) => `${name} ${String(details[name])}`).join(", ")})`;
};

/** One line. `ceiling` is the highest price of a call in credits. */
export const errorText = (error: unknown, ceiling = Infinity): string => {
  if (!(error instanceof ToolError || error instanceof ApiError)) {
    const message = error instanceof WinnowError ? error.message : "Internal error in Winnow.";
    return `internal_error: ${message} Try again later.`;
  }
  const name = nameOf(error);
  const { reason } = error.details;
  const reasoned = typeof reason === "string" && reason !== name ? `${name} (${reason})` : name;
  const limit = error.details["maxCredits"];
  const isAtCeiling = name === "price_above_limit" && typeof limit === "number" && limit >= ceiling;
  const remedy = isAtCeiling ? `Nothing was debited. ${ceiling} is ${CEILING_WORDS}` : remedyOf(name, error);
  return `${reasoned}: ${error.message}${numbersOf(error)} ${remedy}`.trim();
};
