/** The numbers of docs/contract.md are those of the code. Prices: examples/test/pricing.test.ts. */
import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { LIMIT_MS, LIMIT_MS_PER_SECOND } from "@winnow/adapters/speech/Transcriptions";
import { DEFAULT_LIMITS as DOWNLOAD_LIMITS } from "@winnow/adapters/sources/DownloadLimits";
import { DAY_MS } from "@winnow/core/domain/Durations";
import { API_KEYS_MAX } from "@winnow/core/domain/access/ApiKey";
import { MEMBERS_MAX } from "@winnow/core/domain/access/Member";
import { PROPOSED_DEPTH_MAX, PROPOSED_FIELDS_MAX } from "@winnow/core/domain/json-schema/ProposedSchema";
import { SAVED_SCHEMAS_MAX } from "@winnow/core/domain/json-schema/SavedSchema";
import * as Schemas from "@winnow/core/domain/json-schema/SchemaLimits";
import { PROMPT_BYTES_MAX, SCHEMA_BYTES_MAX } from "@winnow/core/domain/json-schema/SchemaRules";
import { DEFAULT_LIMITS } from "@winnow/core/domain/money/Plan";
import { IDEMPOTENCY_KEY_CHARS_MAX } from "@winnow/core/domain/request/Idempotency";
import { CORRECTIONS_MAX } from "@winnow/core/domain/result/ResultRow";
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_ITEMS_MAX,
  BATCH_STORED_BYTES_MAX,
  LISTED_ITEMS_MAX,
  LISTINGS_MAX
} from "@winnow/core/domain/run/Batch";
import { WAITING_ITEMS_MAX } from "@winnow/core/domain/run/BatchSubmission";
import { NAME_CHARS_MAX } from "@winnow/core/domain/text/NameText";
import { URL_CHARS_MAX } from "@winnow/core/domain/url/UrlLength";
import { DELIVERY_ATTEMPTS_MAX, RETRY_AFTER_SECONDS } from "@winnow/core/domain/webhook/WebhookDelivery";
import { ROTATION_HOURS } from "@winnow/core/domain/webhook/WebhookEndpoint";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import { FILE_LINK_TTL_MS } from "@winnow/core/engine/extractions/FileLinks";
import { RESULT_LINK_TTL_MS } from "@winnow/core/engine/extractions/ResultLinks";
import { QUEUE_POSITIONS_MAX } from "@winnow/core/ports/Store";
import { CONNECTION_LIMITS } from "../../../src/http/HttpListener.ts";
import { STREAMS_MAX } from "../../../src/http/limits/EventStreams.ts";
import { PAGE_LIMIT } from "../../../src/http/parameters.ts";
import { BODY_BYTES_MAX } from "../../../src/http/JsonBody.ts";
import { MCP } from "../../../src/mcp/McpHttp.ts";
import { CHUNK_BYTES } from "../../../src/routes/files/fileResponse.ts";
import { ACCESS_CHECK_INTERVAL_MS } from "../../../src/http/authentication/whileLive.ts";
import { DOWNLOADS_MAX } from "../../../src/http/limits/OpenDownloads.ts";
import { SETTINGS } from "../../../src/settings/SettingsTable.ts";

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/${name}.md`, import.meta.url), "utf8");
const page = pageOf("contract");

/** As written there: 2,048. */
const n = (value: number): string => value.toLocaleString("en-US");
const kilobytes = (bytes: number): string => `${n(bytes / 1_024)} KB`;
const seconds = (ms: number): string => `${n(ms / 1_000)} s`;
const minutes = (ms: number): string => `${n(ms / 60_000)} minutes`;
/** Of section 4: what, and its limit. */
const LIMITS: ReadonlyArray<readonly [string, string]> = [
  ["`POST /v1/extractions` and `/v1/extract` together", `${DEFAULT_LIMITS.submitsPerMinute} a minute`],
  ["`POST /v1/probe`", `${DEFAULT_LIMITS.probesPerMinute} a minute`],
  ["`GET /v1/probe/thumbnail`", "as many as probes"],
  [
    "`GET /v1/extractions/{id}`, its `/result` and `/request` together",
    `${DEFAULT_LIMITS.readsPerMinute} a minute`
  ],
  ["each other endpoint", `${DEFAULT_LIMITS.othersPerMinute} a minute`],
  ["`POST /mcp`", `${DEFAULT_LIMITS[MCP.limit] * (MCP.times ?? 1)} a minute`],
  ["running extractions", n(DEFAULT_LIMITS.runningMax)],
  ["waiting extractions", n(DEFAULT_LIMITS.waitingMax)],
  ["open event streams of an account, in one process", n(STREAMS_MAX)],
  ["open downloads of an account, in one process", n(DOWNLOADS_MAX)],
  ["model tokens of one run", n(SETTINGS.llmMaxTokensPerRun.default)],
  [
    "model tokens of an account's fully refunded runs, per UTC day",
    n(SETTINGS.llmRefundedTokensPerDay.default)
  ],
  ["length of a video", `${n(DEFAULT_LIMITS.maxDurationSec)} s, inclusive`],
  ["`url`", `${n(URL_CHARS_MAX)} characters`],
  [
    "schema; prompt (bytes of UTF-8; the schema's as JSON)",
    `${kilobytes(SCHEMA_BYTES_MAX)}; ${kilobytes(PROMPT_BYTES_MAX)}`
  ],
  ["downloaded bytes of one run", `${SETTINGS.maxDownloadBytes.default / 2 ** 30} GiB`],
  ["a page or document", `${DOWNLOAD_LIMITS.pageMaxBytes / 1_000_000} MB`],
  ["duration of one run", minutes(ENGINE_DEFAULTS.runTimeoutMs)],
  ["one transcription request", `${seconds(LIMIT_MS)} and ${LIMIT_MS_PER_SECOND / 1_000} × its sound`],
  ["comments kept, the newest", n(DOWNLOAD_LIMITS.commentsMax)],
  ["scanned pages read in a run, the first", n(DOWNLOAD_LIMITS.scannedPagesMax)],
  ["processor time of reading them", seconds(DOWNLOAD_LIMITS.scansProcessorMsMax)],
  ["page of a list", `1 to ${PAGE_LIMIT.max}, default ${PAGE_LIMIT.byDefault}`],
  [
    "webhook endpoints; saved schemas; API keys; members and invitations",
    [DEFAULT_LIMITS.webhookEndpointsMax, SAVED_SCHEMAS_MAX, API_KEYS_MAX, MEMBERS_MAX].map(n).join("; ")
  ],
  ["results, files, delivery log", `kept ${DEFAULT_LIMITS.retentionDays} days after the end`]
];

/** Elsewhere. */
const SENTENCES: ReadonlyArray<string> = [
  `archives of more than ${CHUNK_BYTES / 1_024} KiB`,
  `no byte could be sent for ${seconds(CONNECTION_LIMITS.sendTimeoutMs)} is cut`,
  `within ${seconds(CONNECTION_LIMITS.sendTimeoutMs + 2 * CONNECTION_LIMITS.checkIntervalMs)} of the last one`,
  `end within ${seconds(ACCESS_CHECK_INTERVAL_MS)}`,
  `\`Idempotency-Key\`: 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} printable`,
  `\`too_deep\` (${Schemas.SCHEMA_DEPTH_MAX} levels)`,
  `\`too_many_nodes\` (${n(Schemas.SCHEMA_NODES_MAX)} values, ${n(Schemas.SCHEMA_ENUM_VALUES_MAX)} enum values, ${Schemas.SCHEMA_BRANCHES_MAX} members)`,
  `\`too_many_patterns\` (${Schemas.SCHEMA_PATTERNS_MAX})`,
  `\`too_costly\` (${Schemas.SCHEMA_REFERENCES_MAX} references`,
  `(at most ${PROPOSED_FIELDS_MAX} fields, ${PROPOSED_DEPTH_MAX} levels)`,
  `get slots, up to ${n(QUEUE_POSITIONS_MAX)}`,
  `without a key for ${minutes(FILE_LINK_TTL_MS)}`,
  `after ${RETRY_AFTER_SECONDS.map((each) => (each < 60 ? `${each} s` : `${each / 60} min`)).join(", ")}`,
  `For ${ROTATION_HOURS} h after a rotation`,
  `${["", "One", "Two", "Three", "Four", "Five"][DELIVERY_ATTEMPTS_MAX]} attempts, then \`failed\``,
  `1 to ${n(BATCH_ITEMS_MAX)} submit bodies`,
  `has at most ${BATCH_BODY_BYTES_MAX / 2 ** 20} MB, and the fields of an item ${kilobytes(BODY_BYTES_MAX)}`,
  `At most ${n(WAITING_ITEMS_MAX)} items of an account wait`,
  `first: 1 to ${LISTED_ITEMS_MAX}}`,
  `(${n(BATCH_ITEMS_MAX)} in all, ${LISTINGS_MAX} listings)`,
  `\`name\` has at most ${NAME_CHARS_MAX} characters`,
  `for ${RESULT_LINK_TTL_MS / DAY_MS} days, without a key`,
  `at most ${n(CORRECTIONS_MAX)}: each pointer`
];

const { paths } = JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"));

/** Those that a section names: whole, or as an ending, such as `…/{id}/cancel`, of the last whole one. */
const pathsIn = (section: string): ReadonlyArray<string> => {
  let last = "";
  return [...section.matchAll(/`(?:[A-Z|]+ )?…?(\/[^`?\s]*)[^`\n]*`/gu)].flatMap(([, path = ""]) => {
    if (path in paths) last = path;
    const parts = last.split("/");
    return parts.map((_, end) => parts.slice(0, end + 1).join("/") + path);
  });
};

describe("docs/contract.md", () => {
  it("has every limit of its table from the code, and no other", () => {
    const [, section = ""] = /## 4\. Limits\n([^]*?)\n## 5\./u.exec(page) ?? [];
    const rows = [...section.matchAll(/^\|(.*)\|$/gmu)].map(([, row = ""]) =>
      row.split("|").map((cell) => cell.trim())
    );
    assert.deepStrictEqual(
      rows.slice(2).map(([what, limit]) => [what, limit]),
      LIMITS.map((row) => [...row])
    );
  });

  it("names every path of the API document", () => {
    const named = new Set(page.split(/^## /mu).flatMap(pathsIn));
    assert.deepStrictEqual(
      Object.keys(paths).filter((path) => !named.has(path)),
      []
    );
  });

  it.each(SENTENCES)("says: %s", (sentence) => {
    assert.include(page, sentence);
  });
});

describe("limits on other pages", () => {
  const [body, batch] = [kilobytes(BODY_BYTES_MAX), `${BATCH_BODY_BYTES_MAX / 2 ** 20} MB`];
  const longest = `${DEFAULT_LIMITS.maxDurationSec / 60} minutes`;
  it.each([
    ["security", `downloads end within ${seconds(ACCESS_CHECK_INTERVAL_MS)}`],
    ["security", `${DOWNLOADS_MAX} open downloads`],
    ["security", `bodies of at most ${body}, those of batches ${batch}`],
    ["troubleshooting", `\`details.maxBytes\` of the endpoint: ${body}, of a batch ${batch}`],
    [
      "troubleshooting",
      `with \`open_downloads\`, ${DOWNLOADS_MAX} files of more than ${CHUNK_BYTES / 1_024} KiB`
    ],
    ["troubleshooting", `with \`too_many_streams\`, ${STREAMS_MAX} event streams`],
    ["troubleshooting", `\`too_long\` for more than ${n(URL_CHARS_MAX)} characters`],
    ["troubleshooting", `at most ${n(BATCH_ITEMS_MAX)} items, ${LISTINGS_MAX} of them listings`],
    [
      "troubleshooting",
      `at most ${kilobytes(SCHEMA_BYTES_MAX)}, the fields of a batch's item ${body}, and a batch ${BATCH_STORED_BYTES_MAX / 2 ** 20} MB in all`
    ],
    ["troubleshooting", `a video over ${longest},`],
    ["troubleshooting", `videos may be up to ${longest} long`]
  ])("%s says: %s", (name, sentence) => {
    assert.include(pageOf(name), sentence);
  });
});
