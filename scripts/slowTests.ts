/**
 * Tests that `npm test -- --quick` skips, as files and folders from the root: those that take over three seconds on
 * two idle cores, because they start servers, databases, browsers or programs. `npm test` runs all of them, and
 * names files that are missing here.
 */

/** A file that takes longer than this, in milliseconds, belongs in the list below. */
export const SLOW_FILE_MS = 3_000;

export const SLOW_TESTS: ReadonlyArray<string> = [
  "examples/test",
  "packages/adapters/test/storage/s3",
  "packages/adapters/test/pages/browser",
  "packages/adapters/test/sources",
  "packages/adapters/test/network/ChildPrograms.test.ts",
  "packages/adapters/test/network/LyingProxy.test.ts",
  "packages/adapters/test/faults",
  "packages/adapters/test/model/EventLoop.test.ts",
  "packages/adapters/test/model/LongInputs.test.ts",
  "packages/adapters/test/model/OpenAiAnalyst.test.ts",
  "packages/adapters/test/speech/OpenAiTranscriber.test.ts",
  "packages/adapters/test/model/Providers.test.ts",
  "packages/adapters/test/model/projection/Projection.test.ts",
  "packages/adapters/test/model/inputs/MediaReader.test.ts",
  "packages/adapters/test/model/inputs/prepareInputs.test.ts",
  "packages/adapters/test/pages/reader/PageReader.test.ts",
  "packages/adapters/test/pages/markdown/WriteMarkdown.test.ts",
  "packages/adapters/test/database/queue",
  "packages/adapters/test/database",
  "packages/adapters/test/programs",
  "packages/adapters/test/programs/sandbox",
  "packages/adapters/test/schema-check/OfficialSuite.test.ts",
  "packages/adapters/test/schema-check/WorkerSchemaChecker.test.ts",
  "packages/adapters/test/network/webhooks/HostileReceivers.test.ts",
  "packages/client/test/resources/events.test.ts",
  "packages/client/test/faults.test.ts",
  "packages/client/test/runtimes.test.ts",
  "packages/core/test/engine/runs/AiCrashes.test.ts",
  "packages/core/test/engine/runs/Crashes.test.ts",
  "packages/core/test/engine/webhooks/WebhookCrashes.test.ts",
  "packages/dashboard/test/browser.test.ts",
  "packages/dashboard/test/everyday.test.ts",
  "packages/dashboard/test/lists.test.ts",
  "packages/dashboard/test/members.test.ts",
  "packages/dashboard/test/mounted.test.ts",
  "packages/dashboard/test/states.test.ts",
  "packages/dashboard/test/webhooks.test.ts",
  "packages/server/test/chaos.test.ts",
  "packages/server/test/cli",
  "packages/server/test/connections.test.ts",
  "packages/server/test/crash.test.ts",
  "packages/server/test/dataFolder.test.ts",
  "packages/server/test/fullDisk.test.ts",
  "packages/server/test/routes/extractions/languageModel.test.ts",
  "packages/server/test/routes/system/metrics.test.ts",
  "packages/server/test/routes/extractions/policies.test.ts",
  "packages/server/test/routes/extractions/quotes.test.ts",
  "packages/server/test/mcp/bridge.test.ts",
  "packages/server/test/mcp/conformance.test.ts",
  "packages/server/test/mcp/inspector.test.ts",
  "packages/server/test/mcp/stdio.test.ts",
  "packages/server/test/outages.test.ts",
  "packages/server/test/roles.test.ts",
  "packages/server/test/secrets.test.ts",
  "packages/server/test/serve.test.ts",
  "packages/server/test/webhooks.test.ts",
  "scripts/test"
];

/**
 * Files of {@link SLOW_TESTS} that compute or wait for over 25 seconds, the longest first: they begin before all others.
 * Seconds by the clock on a processor of one's own: those of a processor, with all programs that they start, and
 * those in which nothing of them computes.
 */
export const LONGEST_TESTS: ReadonlyArray<string> = [
  "scripts/test/publish.test.ts",
  "packages/server/test/chaos.test.ts", // two minutes at least, most of it waiting
  "packages/server/test/cli/backupMoves.test.ts", // 26 and 77: a run is taken over once its worker is silent
  "packages/dashboard/test/browser.test.ts", // 40 and 10
  "packages/server/test/roles.test.ts", // 33 and 31
  "packages/adapters/test/faults/Kills.test.ts", // 54, one process after another
  "packages/server/test/serve.test.ts", // 32 and 23
  "packages/server/test/cli/check.test.ts", // 40
  "packages/adapters/test/database/embedded/EmbeddedPostgres.test.ts", // 50
  "packages/adapters/test/sources/manifests.test.ts", // 46
  "packages/adapters/test/database/queue/PgBossTakeOver.test.ts", // 40, nearly all of it waiting
  "packages/server/test/crash.test.ts", // 40, most of it waiting
  "packages/adapters/test/pages/browser/ChromiumRenderer.test.ts", // 22 and 15
  "packages/dashboard/test/mounted.test.ts", // 34
  "packages/server/test/webhooks.test.ts", // 30
  "packages/server/test/cli/winnow.test.ts", // 26
  "packages/dashboard/test/everyday.test.ts", // 30, most of it waiting
  "packages/dashboard/test/states.test.ts", // 25
  "packages/dashboard/test/webhooks.test.ts" // 25
];

/**
 * Slow files with a process of their own. All others take over a process with its modules from the file before, as
 * quick files do: loading them is up to half a second of a processor for each. Those leave nothing behind (no
 * variable, no clock, no listener), and measure neither their memory nor turns of the event loop. Helpers that they
 * import have no hooks of their own, which would run in the first of their files alone.
 */
const ALONE_TESTS: ReadonlyArray<string> = [
  "examples/test/embed.test.ts", // timers
  "packages/adapters/test/pages/browser", // what a process hands on
  "packages/adapters/test/sources/MediaDownloader.hostile.test.ts", // memory
  "packages/adapters/test/sources/isolation.test.ts", // what a process hands on
  "packages/adapters/test/sources/programs.test.ts", // a clock, a variable
  "packages/adapters/test/sources/survival.test.ts", // its own death
  "packages/adapters/test/model/EventLoop.test.ts", // turns of the event loop
  "packages/adapters/test/pages/reader/PageReader.test.ts", // memory
  "packages/adapters/test/programs/pictures.test.ts" // children of its process
];

const isBelow = (file: string, places: ReadonlyArray<string>): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`));

/** `file` is a path from the root, with slashes. */
export const isSlowTest = (file: string): boolean => isBelow(file, SLOW_TESTS);

export const isSharingTest = (file: string): boolean => isSlowTest(file) && !isBelow(file, ALONE_TESTS);
