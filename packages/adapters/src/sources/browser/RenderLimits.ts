/** Every limit of rendering a page, with its unit and reason. Tests: ChromiumRenderer.test.ts, Rendering.test.ts. */

/** One page from its first byte to its document; slower applications are read as far as they got. */
export const RENDER_TIMEOUT_MS = 12_000;

/** The part of it reserved for reading the document of a page that never settles. */
export const SNAPSHOT_RESERVE_MS = 2_500;

/** A page has settled once its text is unchanged for this long without network activity. */
export const QUIET_MS = 600;

/** The same for pages with constant network activity: polling, streams, analytics. */
export const QUIET_BUSY_MS = 2_000;

/** Interval of checks. */
export const POLL_EVERY_MS = 150;

/** Maximum characters of the document; the page reader accepts at most twice as many bytes. */
export const DOCUMENT_CHARS_MAX = 8_000_000;

/** Maximum bytes of an answer: a character has at most six in JSON, and the address comes on top. */
export const ANSWER_BYTES_MAX = 7 * DOCUMENT_CHARS_MAX;

/** Maximum bytes through the proxy per page, both directions; large applications have up to 10 MB of scripts. */
export const RENDER_BUDGET_BYTES = 48 * 2 ** 20;

/** Maximum requests per page; further ones are blocked. */
export const REQUESTS_MAX = 500;

/**
 * Maximum concurrent pages per process; each uses a processor while its scripts run, and waits for the network in
 * between. Half of them are for accounts without a page in the browser, so that pages that never finish loading do not
 * make others wait.
 */
export const RENDERS_AT_ONCE_MAX = 8;
export const RENDERS_FOR_NEWCOMERS = 4;

/** Private memory of each browser process and of the process that drives it (RLIMIT_DATA). */
export const PROCESS_MEMORY_BYTES = 1_024 * 2 ** 20;

/** JavaScript heap of a page; array buffers fall under the limit above. */
export const PAGE_HEAP_MB = 384;

/** Maximum size of a file the browser writes, which includes its shared memory. */
export const FILE_BYTES_MAX = 512 * 2 ** 20;

/** The browser is closed after this idle time; starting it takes about a second. */
export const IDLE_MS = 60_000;

/** Time limit for starting the browser on a slow, busy machine. */
export const START_TIMEOUT_MS = 20_000;

/** A browser that has not closed a page by then hangs and is killed; a busy machine can stall it for seconds. */
export const CLOSE_TIMEOUT_MS = 5_000;

/** Time beyond a page's own limit after which the browser counts as hung. */
export const ANSWER_SLACK_MS = 4_000;
