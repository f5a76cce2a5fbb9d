/** Texts of the list of extractions. */

export const listWords = {
  noneFound: "No extraction matches these filters",
  showAll: "Show all extractions",
  again: "Run again",
  summary: "Now",
  failedToday: "Failed today",
  active: "Running and queued",
  moreFilters: "More",
  anyOf: {
    status: "Any status",
    outcome: "Any outcome",
    kind: "Any kind",
    schemaId: "Any schema",
    apiKeyId: "Any API key"
  },
  filtersSet: "Filters that are set",
  removeFilter: "Remove filter",
  filterNames: {
    q: "Search",
    status: "Status",
    outcome: "Outcome",
    kind: "Kind",
    schemaId: "Schema",
    apiKeyId: "API key",
    batchId: "Batch",
    since: "From",
    until: "To"
  },
  schemaOf: (name: string, version: number) => `${name}, version ${version}`,
  retry: "Retry",
  retryFor: (credits: string) => `Retry for at most ${credits} credits`,
  retried: "Submitted again",
  statusHead: "Status",
  costHead: "Credits",
  timeHead: "Created",
  select: (name: string) => `Select ${name}`,
  peek: "Preview",
  peekAt: (name: string) => `Preview ${name}`,
  open: "Open",
  againOf: (name: string) => `Run ${name} again`,
  cancelOf: (name: string) => `Cancel ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleted: "Extraction deleted",
  madeBy: { api: "API", web: "Web app", mcp: "MCP" },
  madeByKey: (key: string) => `Key “${key}”`
};
