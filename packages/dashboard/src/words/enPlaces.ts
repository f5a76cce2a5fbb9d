/**
 * English texts of the other screens: webhooks, keys, schemas, billing, account, operator's view, and the form.
 */
import { enRun } from "./enRun.ts";
import { plural } from "./plural.ts";

export const enPlaces = {
  ...enRun,
  ended: {
    title: "Your session ended",
    text: "Open a new sign-in link in another tab, then come back. Your input is kept here.",
    still: "You are still signed out.",
    again: "I am signed in again",
    leave: "Leave"
  },
  help: {
    title: "Keyboard shortcuts",
    off: "You can switch single keys off under Account.",
    groups: { everywhere: "Everywhere", list: "In the list", run: "In an extraction" },
    keys: {
      everywhere: {
        "?": "Show this help",
        n: "New extraction",
        g: "All extractions",
        "/": "Search",
        z: "Undo a deletion"
      },
      list: {
        j: "Next row",
        k: "Previous row",
        Enter: "Open",
        Space: "Preview beside the list",
        Escape: "Close the preview"
      },
      run: {
        Space: "Play or pause",
        ArrowLeft: "Back 5 seconds",
        ArrowRight: "Forward 5 seconds",
        e: "Next quote",
        "/": "Search the transcript"
      }
    }
  },
  money: {
    cached: "Free: reused from a recent identical extraction.",
    debited: (debited: string) => `${debited} credits.`,
    allBack: (debited: string) => `${debited} credits debited, all refunded.`,
    partBack: (debited: string, back: string) => `${debited} credits debited, ${back} refunded.`
  },
  webhooks: {
    deliveries: "Deliveries",
    statuses: { pending: "Waiting", delivered: "Delivered", failed: "Failed" },
    hint: "Each endpoint receives an event when an extraction completes or fails.",
    add: "Add an endpoint",
    emptyTitle: "No endpoints yet",
    emptyText: "Add a URL of your server to be notified when an extraction ends, instead of polling.",
    url: "Endpoint URL",
    urlHint: "It must begin with https:// and be reachable from the internet.",
    secret: "Signing secret",
    receiver: "Verify each delivery with it:",
    healthy: "Deliveries succeed.",
    known: "This URL is already registered",
    failingSince: "Failing since",
    test: "Send a test",
    tested: "Test sent",
    testFailed: "The test was not delivered: see its attempts below",
    enable: "Enable again",
    rotate: "Rotate secret",
    rotateText: "For 24 hours, deliveries are signed with both the old and the new secret.",
    bothUntil: (date: string) => `Deliveries are signed with the old secret too until ${date}.`,
    deleteTitle: "Delete this endpoint?",
    noDeliveries: "Nothing has been sent yet.",
    recover: "Resend failed deliveries",
    recovered: (count: number) =>
      `${count} ${plural(count, "delivery", "deliveries")} queued to be sent again`,
    events: {
      "extraction.completed": "Extraction completed",
      "extraction.failed": "Extraction failed",
      test: "Test"
    },
    attemptCount: (count: number) => `${count} ${plural(count, "attempt", "attempts")}`,
    delivery: "Delivery",
    next: "Next attempt",
    redeliver: "Send again",
    attempts: "Attempts",
    attempt: (number: number) => `Attempt ${number}`,
    noAttempts: "No attempts yet.",
    answer: "Response of the endpoint"
  },
  secret: { once: "This is shown only once. Copy it now.", kept: "I have saved it" },
  apiKeys: {
    hint: "Programs authenticate with an API key. Extractions created with a key appear here too.",
    create: "Create a key",
    name: "Name",
    nameHint: "For example: nightly import",
    daily: "Maximum credits per day",
    perDay: (credits: string) => `at most ${credits} credits per day`,
    lastUsed: "last used",
    neverUsed: "never used",
    emptyTitle: "No API keys yet",
    emptyText: "Create one to use Winnow from a program, the command line or an AI assistant.",
    use: "Try it:",
    revoke: "Revoke",
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke “${name}”?`,
    revokeText: "Programs that use it lose access at once. This cannot be undone."
  },
  schemas: {
    hint: "A schema defines which values to extract. Each version has its own ID and never changes.",
    create: "New schema",
    emptyTitle: "No schemas saved yet",
    emptyText: "Save one to reuse it by its ID, here and in programs.",
    name: "Name",
    version: (version: number) => `Version ${version}`,
    saveNext: (version: number) => `Save as version ${version}`,
    saved: (name: string, version: number) => `${name} saved as version ${version}`,
    never: "Earlier versions do not change.",
    deleteTitle: (name: string, version: number) => `Delete ${name}, version ${version}?`,
    deleteText: "Submits with its ID will be rejected. Existing results are kept.",
    tryOn: "Try it on a past extraction",
    tryHint: "Opens the form with the same URL and this schema. You see the price before you start."
  },
  billing: {
    balance: "Balance",
    buy: (credits: string, price: string) => `Buy ${credits} credits for ${price}`,
    buyHint: "You pay on a page of the payment service and come back here.",
    paid: "Thank you. The credits appear here as soon as the payment is confirmed, usually within seconds.",
    topUp: "To add credits, ask your operator. 10,000 credits equal US$1.",
    usage: "Usage by day",
    usedInAll: (credits: string, days: number) => `${credits} credits in ${days} days`,
    asTable: "Show as a table",
    day: "Day",
    ledger: "Ledger",
    when: "When",
    what: "What",
    credits: "Credits",
    after: "Balance after",
    csv: "Download as CSV",
    runOf: (date: string) => `Extraction of ${date}`,
    kinds: { debit: "Debit", refund: "Refund", top_up: "Top-up", bonus: "Bonus", adjustment: "Adjustment" }
  },
  account: {
    facts: "Account",
    name: "Name",
    id: "ID",
    plan: "Plan",
    runningMax: "Concurrent extractions",
    waitingMax: "Waiting extractions",
    maxDuration: "Maximum video length",
    retention: "Retention",
    days: (count: number) => `${count} ${plural(count, "day", "days")}`,
    look: "Appearance",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    language: "Language",
    shortcuts: "Single-key shortcuts",
    signOut: "Sign out",
    sessions: "Sessions",
    thisBrowser: "this browser",
    someBrowser: "Unknown browser",
    signedInAt: "since",
    members: "Members",
    membersHint:
      "People who may sign in through your identity provider, without a link from the operator. Each member " +
      "has full access to the account.",
    memberEmail: "E-mail address",
    addMember: "Add member",
    waits: "has not signed in yet; added",
    memberSince: "member since",
    remove: "Remove",
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: "They are signed out at once and cannot sign in again. API keys they created remain valid.",
    mcp: "Use with an AI assistant (MCP)",
    mcpText: "Add this to the MCP servers of your assistant, with one of your API keys:",
    signOutAll: "Sign out everywhere",
    signOutAllText: "All browsers are signed out, including this one, and unused sign-in links stop working."
  },
  operator: {
    title: "Operator",
    token: "Admin token",
    tokenHint:
      "WINNOW_ADMIN_TOKEN, or the file admin-token in the data folder. It is kept only until this page closes.",
    wrong: "This is not this server's admin token.",
    enter: "Continue",
    back: "To the web app",
    ready: "Ready",
    notReady: "Not ready",
    newAccount: "Name of a new account",
    create: "Create account",
    find: "Find an account by name or ID",
    byId: "This server does not list accounts: search for one by its ID.",
    topUp: "Top up",
    toppedUp: (balance: string) => `The balance is now ${balance}`,
    creditsFor: (name: string) => `Credits for ${name}`,
    signInLink: "Sign-in link",
    linkUntil: (date: string) => `Works once, until ${date}.`,
    signOutAll: "Sign out everywhere",
    signedOut: "All sessions of the account were ended",
    load: "Load",
    running: "Running",
    waiting: "Waiting",
    oldest: "Longest wait",
    seconds: (count: number) => `${count} s`,
    webhooks: "Pending webhooks",
    memory: "Memory of this process",
    disk: "Free disk space",
    places: { data: "data folder", artifacts: "files" },
    plan: "Plan",
    failures: "Failures by reason",
    noFailures: "No run has failed.",
    ofProcess: "Counted by the responding process since it started."
  },
  address: {
    label: "Address",
    hint: "A public page with a video, photos or an article. You can paste it anywhere on this page.",
    fault: "This is not a web address. It must begin with https:// or http://."
  },
  parts: {
    parts: "What to fetch",
    inputs: "What the model reads",
    names: { transcript: "Transcript", comments: "Comments", audio: "Audio", video: "Video" },
    price: (credits: string) => `+ ${credits} credits`,
    notHere: "not available here"
  },
  schema: {
    question: "Extract values?",
    choices: {
      none: "No, download only",
      saved: "With a saved schema",
      own: "With my own fields",
      auto: "Let the model decide"
    },
    choiceHints: {
      none: "Files and metadata",
      saved: "Yours, or a predefined one",
      own: "List what you want to know",
      auto: "It generates a schema and saves it"
    },
    saved: "Schema",
    choose: "Choose a schema …",
    mine: "Saved by you",
    predefined: "Predefined",
    version: (name: string, version: number) => `${name}, version ${version}`,
    prompt: "Guidance for the model",
    promptHint: "For example: prices in euros, names as they are written",
    editAs: "Edit as",
    asFields: "Fields",
    asText: "JSON Schema",
    text: "JSON Schema",
    textHint: "JSON Schema of an object, at most 100 KB.",
    onlyText: "This schema is too complex for the list of fields, so it is edited as text.",
    syntax: (line: number | null) =>
      line === null ? "This is not valid JSON." : `This is not valid JSON: see line ${line}.`,
    notObject: "The schema must be a JSON object.",
    fieldName: "Name",
    fieldType: (name: string) => `Type of ${name === "" ? "the new field" : name}`,
    fieldMeans: (name: string) => `Meaning of ${name === "" ? "the new field" : name}`,
    fieldMeansHint: "What it means (optional)",
    types: {
      text: "Text",
      number: "Number",
      integer: "Whole number",
      boolean: "Yes or no",
      date: "Date",
      texts: "List of texts"
    },
    required: "Required",
    removeField: (name: string) => `Remove ${name === "" ? "this field" : name}`,
    addField: "Add a field",
    repeated: (name: string) => `Two fields are called ${name}. Give each its own name.`
  },
  options: {
    title: "More options",
    language: "Language of the transcript",
    languageHint: "original, or en, pt-BR …",
    policy: "When something is missing",
    policies: {
      fallback: "Continue with a warning",
      strict: "Fail and refund",
      "best-effort": "Continue silently"
    },
    webhookUrl: "Notify this webhook too",
    force: "Do not reuse a recent result",
    speech: "Transcribe the audio if there are no captions",
    speechHint: "This adds the price of audio, which is refunded if there are captions.",
    auto: "Start with text, add audio and video only if needed",
    maxSpend: "Spend at most (credits)"
  },
  price: {
    title: "Price",
    paste: "Paste an address to see the exact price. Quotes are free.",
    asking: "Getting the price …",
    chooseSchema: "Choose a schema to see the price.",
    fixSchema: "Fix the error in the schema to see the price.",
    long: (clock: string) => `${clock} long`,
    images: (count: number) => `${count} ${plural(count, "image", "images")}`,
    hasSubtitles: "has subtitles",
    hasComments: "has comments",
    cached: "from a recent identical extraction",
    unknownLength: "The length is unknown: 5 minutes are debited, and the excess is refunded.",
    lacks: (credits: string) => `Your balance is ${credits} credits short.`,
    extract: "Extract",
    extractFree: "Extract for free",
    extractFor: (credits: string, unit: string) => `Extract for ${credits} ${unit}`,
    promise: "Anything not found is refunded. Failed runs are free."
  },
  code: {
    title: "Use from a program",
    kinds: { curl: "curl", typescript: "TypeScript", cli: "Command line" }
  }
};
