/**
 * What one page tells: its text, its metadata and where its media lie.
 *
 * Everything here is a claim of the page, cleaned but not checked; addresses must pass the egress guard.
 */
export {};
