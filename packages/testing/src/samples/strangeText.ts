/**
 * Hostile text, for tests of every place where untrusted text enters.
 */

/**
 * Controls of a terminal (C0 and C1, with those that begin sequences), a lone carriage return, and characters that show
 * nothing or reverse the text direction. Cleaned: "Price", a line end, " free".
 */
export const HOSTILE_TEXT =
  "Pr\u009bi\u001bc\u0000e\r\u0090\u009d\u200b\u200e\u200f\ufeff\u00ad\u2066\u202e fr\u{e0041}ee\u0007\u061c";

/** The characters that must not remain anywhere. */
export const INVISIBLE_OR_CONTROL =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- searched for on purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202e\u2066\ufeff\u{e0041}]/u;
