/**
 * Error texts that a model can act on: `code: message remedy`. Hosts show only the text of an error.
 */

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
  const seconds = details["retryAfterSeconds"];
  return {
    code: error.code,
    message: error.message,
    details,
    retryAfterSeconds: retryAfterSeconds ?? (typeof seconds === "number" ? seconds : null)
  };
};

const REMEDIES: Readonly<Record<string, string>> = {
  insufficient_credits:
    "Nothing was debited. Request fewer `parts` or `inputs`, or tell the user that the account needs more " +
    "credits.",
  price_above_limit:
    "Nothing was debited. Ask the user before you call again with a higher maxCredits, or request fewer " +
    "`parts` or `inputs`.",
  daily_credits: "Nothing was debited. Tell the user; cached results and reading remain free.",
  content_unavailable: "Retrying does not help; use a URL that anyone can open.",
  invalid_request: "Correct the argument and call again.",
  not_found: "Check the id and the name; list_extractions lists the extractions.",
  unauthorized: "Tell the user that the API key is missing or invalid.",
  internal_error: "Try again later.",
  conflict: "Change an argument, or find the existing extraction with list_extractions."
};

/** Follows the highest price that any call may have. */
export const CEILING =
  "the operator's limit for one call, WINNOW_MCP_MAX_CREDITS: send fewer " +
  "URLs, request fewer `parts` or `inputs`, or tell the user.";

const waitFor = (seconds: number): string => `Try again in ${seconds} s.`;

const remedyOf = (name: string, { message, retryAfterSeconds, details }: ApiFailure): string => {
  const hint = details["hint"];
  if (typeof hint === "string") return hint;
  if (/try again in \d+ s\.$/u.test(message)) return "";
  if (retryAfterSeconds !== null) return waitFor(retryAfterSeconds);
  return REMEDIES[name] ?? (name === "rate_limited" ? waitFor(60) : "");
};

/** The code, or one of the two reasons that are more helpful than theirs. */
const nameOf = ({ code, details }: ApiFailure): string => {
  const { reason } = details;
  const isTelling = reason === "price_above_limit" || reason === "daily_credits";
  return isTelling ? reason : code;
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
