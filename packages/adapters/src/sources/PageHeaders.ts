/** Request headers similar to a browser's; some sites return nothing useful without them. Tests: routedSources.test.ts. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "user-agent": "Mozilla/5.0 (compatible; Winnow/0.1)",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.8"
};
