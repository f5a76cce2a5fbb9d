/** How long a URL may be. Apart from its rules (SourceUrl), because the egress guard has this one only. Tests: SourceUrl.test.ts. */

/** Maximum length of a URL as written and as normalised, in characters: the limit of servers and downloaders. */
export const URL_CHARS_MAX = 2_048;
