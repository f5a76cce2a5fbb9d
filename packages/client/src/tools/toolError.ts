/**
 * Error texts that a model can act on: `code: message remedy`. Hosts show only the text of an error.
 */

import { REMEDIES } from "../generated/remedies.ts";

/** Thrown by a tool itself, without a response of the API. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface ApiFailure {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
}

/** The common shape of the client's and the engine's errors; null for any other error. */
const apiFailureOf = (error: unknown): ApiFailure | null => {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  const { details = {}, retryAfterSeconds = null } = error as Partial<ApiFailure>;
  return {
    code: error.code,
    message: error.message,
    details,
    retryAfterSeconds
  };
};

/** Follows the highest price that any call may have. */
export const CEILING =
  "the operator's limit for one call, WINNOW_MCP_MAX_CREDITS: send fewer " +
  "URLs, request fewer `parts` or `inputs`, or tell the user.";

const remedyOf = (name: string, { message, retryAfterSeconds, details }: ApiFailure): string => {
  const hint = details["hint"];
  if (typeof hint === "string") return hint;
  if (/try again in \d+ s\.$/u.test(message)) return "";
  if (retryAfterSeconds !== null) return `Try again in ${retryAfterSeconds} s.`;
  return REMEDIES[name] ?? "";
};

/** The code, or a reason that is more helpful. */
const nameOf = ({ code, details }: ApiFailure): string => {
  const { reason } = details;
  return typeof reason === "string" && Object.hasOwn(REMEDIES, reason) ? reason : code;
};

const numbersOf = ({ details }: ApiFailure): string => {
  const known = ["cost", "credits", "maxCredits", "balance", "dailyCredits", "usedToday"];
  const numbers = known.filter((name) => typeof details[name] === "number");
  return numbers.length === 0
    ? ""
    : ` (${numbers.map((name) => `${name} ${String(details[name])}`).join(", ")})`;
};

/** One line. `ceiling` is the highest price of a call in credits. */
export const errorText = (error: unknown, ceiling = Infinity): string => {
  const refusal = apiFailureOf(error);
  if (refusal === null) {
    const message = error instanceof Error && error.name.endsWith("Error") ? error.message : "";
    const isOurs = error instanceof Error && /^(?:Connection|Timeout|Winnow)/u.test(error.name);
    return `internal_error: ${isOurs ? message : "Internal error in Winnow."} Try again later.`;
  }
  const name = nameOf(refusal);
  const { reason } = refusal.details;
  const reasoned = typeof reason === "string" && reason !== name ? `${name} (${reason})` : name;
  const limit = refusal.details["maxCredits"];
  const isAtCeiling = name === "price_above_limit" && typeof limit === "number" && limit >= ceiling;
  const remedy = isAtCeiling ? `Nothing was debited. ${ceiling} is ${CEILING}` : remedyOf(name, refusal);
  return `${reasoned}: ${refusal.message}${numbersOf(refusal)} ${remedy}`.trim();
};
