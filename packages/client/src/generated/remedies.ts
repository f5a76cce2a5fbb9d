// @generated from core/domain/request/ErrorCodes and the settings by packages/server/scripts/clientRemedies.ts: do not edit.

/** Highest price of a call, in credits, if the operator sets no other. */
export const MAX_CREDITS_DEFAULT = 500;

/** By code, or by `details.reason` where that is more helpful. */
export const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized: "Tell the user that the API key is missing or invalid.",
  invalid_request: "Correct the argument and call again.",
  price_above_limit: "Nothing was debited. Ask the user before you call again with a higher maxCredits, or request fewer `parts` or `inputs`.",
  insufficient_credits: "Nothing was debited. Request fewer `parts` or `inputs`, or tell the user that the account needs more credits.",
  daily_credits: "Nothing was debited. Tell the user; cached results and reading remain free.",
  content_unavailable: "Retrying does not help; use a URL that anyone can open.",
  rate_limited: "Try again in 60 s.",
  not_found: "Check the id and the name; list_extractions lists the extractions.",
  conflict: "Change an argument, or find the existing extraction with list_extractions.",
  internal_error: "Try again later."
};
