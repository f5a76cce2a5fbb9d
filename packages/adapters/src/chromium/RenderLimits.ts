/** Every limit of rendering a page, with its unit and reason. */

/** One page from its first byte to its document; applications that need longer are read as far as they are. */
export const RENDER_TIMEOUT_MS = 12_000;

/** Of that, what is kept for taking the document of a page that never comes to rest. */
export const SNAPSHOT_RESERVE_MS = 2_500;

/** A page whose text stayed the same for so long, with nothing on its way, has come to rest. */
export const QUIET_MS = 600;

/** As above for pages that always have something on their way: polls, streams, analytics. */
export const QUIET_BUSY_MS = 2_000;

/** Between two looks at the page. */
export const POLL_EVERY_MS = 150;

/** Characters of the document; the page reader takes no more bytes than twice this. */
export const DOCUMENT_CHARS_MAX = 8_000_000;

/** Bytes through the proxy for one page, both ways; scripts of large applications have up to 10 MB. */
export const RENDER_BUDGET_BYTES = 48 * 2 ** 20;

/** Requests of one page; what comes after is not sent. */
export const REQUESTS_MAX = 500;

/** Pages at once in one process, half of them of one account; each takes a processor while its scripts run. */
export const RENDERS_AT_ONCE_MAX = 4;

/** Private memory of each process of the browser, and of the one that drives it (RLIMIT_DATA). */
export const PROCESS_MEMORY_BYTES = 1_024 * 2 ** 20;

/** JavaScript heap of a page; arrays outside of it fall under the limit above. */
export const PAGE_HEAP_MB = 384;

/** One file that the browser writes: its shared memory lies in files. */
export const FILE_BYTES_MAX = 512 * 2 ** 20;

/** The browser is closed after this time without a page; its start costs about a second. */
export const IDLE_MS = 60_000;

/** Start of the browser on a slow, busy machine. */
export const START_TIMEOUT_MS = 20_000;

/** A browser that has not closed a page after this hangs, and is killed: a busy machine may halt it for seconds. */
export const CLOSE_TIMEOUT_MS = 5_000;

/** What a page may take beyond its own limit before the whole browser is held to hang; as above. */
export const ANSWER_SLACK_MS = 4_000;
