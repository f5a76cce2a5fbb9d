/** The app's texts in English. The compiler ensures that every other language has the same keys. */

/** Singular and plural, for languages with only these forms. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const en = {
  skip: "Skip to content",
  loading: "Loading …",
  more: "Show more",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  delete: "Delete",
  copy: "Copy",
  copied: "Copied",
  keysHint: "Keyboard shortcuts",
  undo: "Undo",
  notes: "Notes",
  optional: "optional",
  made: "created",
  none: "none",
  yes: "Yes",
  no: "No",
  creditsUnit: (count: number) => plural(count, "credit", "credits"),
  nav: {
    label: "Main",
    menu: "Menu",
    new: "New extraction",
    extractions: "Extractions",
    schemas: "Schemas",
    webhooks: "Webhooks",
    keys: "API keys",
    billing: "Billing",
    account: "Account"
  },
  problem: {
    offline: "You are offline. This continues automatically once you are back online.",
    unreachable: "The server is unreachable. It may be restarting.",
    requestId: "Request ID, for your operator:",
    again: "Try again",
    busy: "Many requests in a short time. This continues automatically.",
    againIn: (seconds: number) => `Try again in ${seconds} s`
  },
  unknown: { title: "Page not found", text: "This page does not exist. Go to" },
  signedOut: {
    title: "You are signed out",
    text: "Open the sign-in link from your operator. Each link works once, for 15 minutes.",
    signIn: "Sign in",
    signInWith: (issuer: string) => `Sign in with ${issuer}`,
    elsewhere: "Sign in to the application that you came from, then come back.",
    operator: "Are you the operator of this server?",
    command: "This prints a sign-in link for an account:",
    operatorView: "Open the operator's view"
  },
  kinds: { video: "Video", photos: "Photos", webpage: "Web page" },
  status: {
    done: "Complete",
    noMatch: "No match",
    uncertain: "Uncertain",
    failed: "Failed",
    queued: "Queued",
    waiting: "Starting",
    working: "Running"
  },
  filters: {
    label: "Filters",
    any: "Any",
    search: "Search",
    searchHint: "Title or address",
    status: "Status",
    outcome: "Outcome",
    kind: "Kind",
    statuses: {
      queued: "Queued",
      pending: "Starting",
      running: "Running",
      complete: "Complete",
      failed: "Failed"
    },
    outcomes: { ok: "Values found", no_match: "No match", uncertain: "Uncertain" }
  },
  list: {
    emptyTitle: "Nothing extracted yet",
    emptyText: "Paste the address of a video, a photo post or an article to see what it costs.",
    noneFound: "No extraction matches these filters",
    showAll: "Show all extractions",
    again: "Run again",
    peek: "Preview",
    peekAt: (name: string) => `Preview ${name}`,
    open: "Open",
    againOf: (name: string) => `Run ${name} again`,
    cancelOf: (name: string) => `Cancel ${name}`,
    deleteOf: (name: string) => `Delete ${name}`,
    deleted: "Extraction deleted",
    madeBy: { api: "API", web: "Web app", mcp: "MCP" },
    madeByKey: (key: string) => `Key “${key}”`
  }
};
