// @module-tag long
/** The program on a terminal, with a server that returns hostile text: none of it has an effect. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { HOSTILE_TEXT, INVISIBLE_OR_CONTROL } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { BIN } from "@winnow/server/test/WinnowLauncher";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";
import { serverLines } from "./commandLines.ts";

/** Several program starts, on a busy machine. */
const TEST_MS = 240_000;

/** The first look is for what is there already, the second for what to print. At the third, it has been printed. */
const LOOKS = 3;

const AT = "2026-11-21T08:00:00.000Z";

const endpoint = {
  id: HOSTILE_TEXT,
  url: HOSTILE_TEXT,
  notice: HOSTILE_TEXT,
  secret: HOSTILE_TEXT,
  createdAt: AT
};
const delivery = {
  id: HOSTILE_TEXT,
  event: HOSTILE_TEXT,
  extractionId: HOSTILE_TEXT,
  endpointId: HOSTILE_TEXT,
  url: HOSTILE_TEXT,
  status: HOSTILE_TEXT,
  attemptCount: 1,
  lastStatus: 500,
  nextAttemptAt: null,
  note: HOSTILE_TEXT,
  createdAt: HOSTILE_TEXT,
  attempts: [
    {
      at: HOSTILE_TEXT,
      requestHeaders: {},
      status: 500,
      durationMs: 1,
      error: HOSTILE_TEXT,
      responseSnippet: HOSTILE_TEXT
    }
  ]
};
const schema = {
  id: HOSTILE_TEXT,
  name: HOSTILE_TEXT,
  version: 1,
  title: HOSTILE_TEXT,
  schema: { title: HOSTILE_TEXT },
  createdAt: AT
};
const detail = {
  id: HOSTILE_TEXT,
  url: HOSTILE_TEXT,
  title: HOSTILE_TEXT,
  status: HOSTILE_TEXT,
  error: HOSTILE_TEXT,
  kind: HOSTILE_TEXT,
  durationSec: null,
  apiKeyName: HOSTILE_TEXT,
  createdAt: HOSTILE_TEXT,
  completedAt: AT,
  creditsDebited: 1,
  creditsRefunded: 0
};
const account = {
  id: HOSTILE_TEXT,
  name: HOSTILE_TEXT,
  plan: HOSTILE_TEXT,
  balance: HOSTILE_TEXT,
  limits: { [HOSTILE_TEXT]: 1 }
};
const apiKey = {
  id: HOSTILE_TEXT,
  key: HOSTILE_TEXT,
  start: HOSTILE_TEXT,
  name: HOSTILE_TEXT,
  createdAt: HOSTILE_TEXT,
  lastUsedAt: HOSTILE_TEXT
};
const batch = {
  id: HOSTILE_TEXT,
  status: HOSTILE_TEXT,
  items: [{ index: 0, url: HOSTILE_TEXT, status: "failed", error: HOSTILE_TEXT }],
  counts: { total: 1, accepted: 1, refused: 0, complete: 0, failed: 1 },
  creditsDebited: 1,
  creditsRefunded: 0,
  completedAt: AT
};
const list = (...data: ReadonlyArray<object>) => ({ data, has_more: false, next_cursor: null, now: AT });

/**
 * Responses by method and end of the path, a list for lines of JSON. Only a DELETE, and the events that `wait` can do
 * without, are rejected with hostile text.
 */
const ANSWERS: Readonly<Record<string, object>> = {
  "GET /webhook-endpoints": list(endpoint),
  "POST /webhook-endpoints": endpoint,
  "GET /webhook-deliveries": list(delivery, { ...delivery, event: "test" }),
  "POST /test": delivery,
  "GET /schemas": list(schema),
  "GET /extractions": list(
    { ...detail, id: "ext_1", status: "complete", createdAt: HOSTILE_TEXT, completedAt: HOSTILE_TEXT },
    { ...detail, id: "ext_2", status: "failed", createdAt: AT, completedAt: AT }
  ),
  "GET /ext_1": detail,
  "POST /cancel": detail,
  "POST /extractions": detail,
  "POST /rotate-secret": { secret: HOSTILE_TEXT, previousSecretExpiresAt: HOSTILE_TEXT },
  "POST /enable": endpoint,
  "POST /redeliver": delivery,
  "POST /schemas": schema,
  "GET /account": account,
  "GET /accounts": list(account),
  "POST /accounts": account,
  "GET /acc_1": account,
  "PATCH /acc_1": account,
  "POST /sign-in-links": { url: HOSTILE_TEXT },
  "GET /api-keys": list(apiKey),
  "POST /api-keys": apiKey,
  "POST /top-ups": account,
  "GET /bat_1": batch,
  "POST /quote": [
    { index: 0, url: HOSTILE_TEXT, credits: 0, cached: false, error: { message: HOSTILE_TEXT } },
    { credits: 0, usd: 0, accepted: 0, refused: 1 }
  ],
  "GET /result": { id: HOSTILE_TEXT, status: "failed", error: HOSTILE_TEXT, failure: { hint: HOSTILE_TEXT } }
};

const hostileServer = Effect.acquireRelease(
  Effect.promise(async () => {
    let looks = 0;
    const asked: Array<string> = [];
    const unanswered = new Set<string>();
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url?.includes("/extractions?") === true) looks += 1;
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      const found = Object.entries(ANSWERS).find(([key]) => {
        const [method, end = ""] = key.split(" ");
        return request.method === method && path.endsWith(end);
      });
      if (found === undefined) unanswered.add(`${request.method} ${path}`);
      const refusal = {
        error: { code: HOSTILE_TEXT, message: HOSTILE_TEXT, details: { param: HOSTILE_TEXT } }
      };
      response.writeHead(found === undefined ? 400 : 200, { "content-type": "application/json" });
      response.end(
        [found?.[1] ?? refusal]
          .flat()
          .map((line) => `${JSON.stringify(line)}\n`)
          .join("")
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      server,
      asked,
      unanswered,
      looks: () => looks,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    };
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
);

/** Line breaks come from the program itself. */
const assertClean = (text: string, of: string): void => {
  // oxlint-disable-next-line no-control-regex -- the program's colours
  const plain = text.replaceAll(/\u001b\[[\d;]*m/gu, "");
  for (const line of plain.split("\n"))
    assert.notMatch(line, INVISIBLE_OR_CONTROL, `${of}: ${JSON.stringify(line)}`);
};

/** Runs `winnow webhook listen` until it has printed both events and requested more, or ended. */
const listened = ({ looks, url }: Effect.Success<typeof hostileServer>, more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const before = looks();
    let text = "";
    let hasEnded = false;
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          process.execPath,
          [BIN, "webhook", "listen", "--url", url, "--api-key", "wnw_x", "--since", AT, ...more],
          { stdio: ["ignore", "pipe", "pipe"] }
        )
      ),
      (running) => Effect.sync(() => running.kill("SIGKILL"))
    );
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.once("exit", () => (hasEnded = true));
    yield* Effect.sync(() => looks() - before >= LOOKS || hasEnded).pipe(
      Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (done) => done })
    );
    return { text, hasEnded };
  }).pipe(Effect.scoped);

describe("untrusted text, as printed by commands", () => {
  it.live(
    "is plain text to a terminal in every command, and in JSON",
    () =>
      Effect.gen(function* () {
        const { unanswered, url } = yield* hostileServer;
        const env = { XDG_CONFIG_HOME: yield* temporaryFolder("hostile") };
        for (const { line, credential } of yield* serverLines) {
          for (const json of [[], ["--json"]]) {
            const words = [...line.split(" "), "--url", url, credential, "wnw_x", ...json];
            const { stdout, stderr } = yield* winnow(words, env);
            assert.match(stdout + stderr, /ee|(?:ext|bat)_1/u, line);
            assertClean(stdout + stderr, line);
          }
        }
        assert.deepStrictEqual(
          [...unanswered].filter((request) => !/^DELETE |\/events$/u.test(request)),
          []
        );
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "is plain text for webhook listen, and invalid times do not end it",
    () =>
      Effect.gen(function* () {
        const server = yield* hostileServer;
        for (const more of [[], ["--json"]]) {
          const { hasEnded, text } = yield* listened(server, more);
          assert.isFalse(hasEnded, text);
          assert.include(text, "ee");
          assertClean(text, "listen");
        }
      }).pipe(Effect.scoped),
    TEST_MS
  );
});

describe("a command", () => {
  it.live(
    "asks for what its flags name, and keeps key and address out of what it asks",
    () =>
      Effect.gen(function* () {
        const { asked, url } = yield* hostileServer;
        const env = { XDG_CONFIG_HOME: yield* temporaryFolder("asked") };
        const filtered = { line: "webhook deliveries --status failed", credential: "--api-key" };
        for (const { line, credential } of [...(yield* serverLines), filtered])
          yield* winnow([...line.split(" "), "--url", url, credential, "wnw_x"], env);
        const names = asked.flatMap((path) => [...new URL(path, url).searchParams.keys()]);
        assert.deepStrictEqual([...new Set(names)].toSorted(), ["limit", "status"]);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
