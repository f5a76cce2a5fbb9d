/**
 * What went wrong, in words that a model can act on: `code: message What to do.` Of an error a host shows nothing
 * but the text.
 */

/** Refused by a tool itself, before the service was asked. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
}

/** What the client and the engine throw alike; null for what is neither. */
const refusalOf = (error: unknown): Refusal | null => {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  const { details = {}, retryAfterSeconds = null } = error as Partial<Refusal>;
  const told = details["retryAfterSeconds"];
  return {
    code: error.code,
    message: error.message,
    details,
    retryAfterSeconds: retryAfterSeconds ?? (typeof told === "number" ? told : null)
  };
};

const REMEDIES: Readonly<Record<string, string>> = {
  insufficient_credits:
    "Nothing was debited. Ask for fewer `parts` or `inputs`, or tell the person that credits are missing.",
  price_above_limit:
    "Nothing was debited. Ask the person before you call again with a higher maxCredits, or ask for fewer `parts` or `inputs`.",
  daily_credits: "Nothing was debited. Tell the person; cached results and reading stay free.",
  content_unavailable: "Retrying does not help; use a URL that anyone can open.",
  invalid_request: "Mend the argument and call again.",
  not_found: "Check the id and the name; list_extractions shows what there is.",
  unauthorized: "Tell the person that the API key is missing or not valid.",
  internal_error: "Try again later.",
  conflict: "Change an argument, or read the extraction that there is with list_extractions."
};

const waitFor = (seconds: number): string => `Try again in ${seconds} s.`;

const remedyOf = (name: string, { message, retryAfterSeconds, details }: Refusal): string => {
  const hint = details["hint"];
  if (typeof hint === "string") return hint;
  if (/try again in \d+ s\.$/u.test(message)) return "";
  if (retryAfterSeconds !== null) return waitFor(retryAfterSeconds);
  return REMEDIES[name] ?? (name === "rate_limited" ? waitFor(60) : "");
};

/** Two codes say too little without their reason. */
const nameOf = ({ code, details }: Refusal): string => {
  const { reason } = details;
  const isTelling = reason === "price_above_limit" || reason === "daily_credits";
  return isTelling ? reason : code;
};

const numbersOf = ({ details }: Refusal): string => {
  const known = ["cost", "credits", "maxCredits", "balance", "dailyCredits", "usedToday"];
  const told = known.filter((name) => typeof details[name] === "number");
  return told.length === 0 ? "" : ` (${told.map((name) => `${name} ${String(details[name])}`).join(", ")})`;
};

/** One line. */
export const errorText = (error: unknown): string => {
  const refusal = refusalOf(error);
  if (refusal === null) {
    const message = error instanceof Error && error.name.endsWith("Error") ? error.message : "";
    const isOurs = error instanceof Error && /^(?:Connection|Timeout|Winnow)/u.test(error.name);
    return `internal_error: ${isOurs ? message : "Something went wrong inside of Winnow."} Try again later.`;
  }
  const name = nameOf(refusal);
  const { reason } = refusal.details;
  const reasoned = typeof reason === "string" && reason !== name ? `${name} (${reason})` : name;
  return `${reasoned}: ${refusal.message}${numbersOf(refusal)} ${remedyOf(name, refusal)}`.trim();
};
