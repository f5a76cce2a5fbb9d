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
import { winnow } from "@winnow/server/test/WinnowProgram";

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
  createdAt: HOSTILE_TEXT,
  completedAt: AT,
  creditsDebited: 1,
  creditsRefunded: 0
};
const list = (...data: ReadonlyArray<object>) => ({ data, has_more: false, next_cursor: null, now: AT });

/** Responses by method and end of the path; anything else is rejected with hostile text. */
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
  "GET /result": { id: HOSTILE_TEXT, title: HOSTILE_TEXT }
};

const hostileServer = Effect.acquireRelease(
  Effect.promise(async () => {
    let looks = 0;
    const asked: Array<string> = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url?.includes("/extractions?") === true) looks += 1;
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      const found = Object.entries(ANSWERS).find(([key]) => {
        const [method, end = ""] = key.split(" ");
        return request.method === method && path.endsWith(end);
      });
      const refusal = {
        error: { code: HOSTILE_TEXT, message: HOSTILE_TEXT, details: { param: HOSTILE_TEXT } }
      };
      response.writeHead(found === undefined ? 400 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(found?.[1] ?? refusal));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      server,
      asked,
      looks: () => looks,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    };
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
);

const COMMANDS: ReadonlyArray<string> = [
  "webhook list",
  "webhook add https://hooks.example.org/",
  "webhook test whe_1",
  "webhook deliveries",
  "webhook remove whe_1",
  "schema list",
  "list",
  "list --ids",
  "show ext_1",
  "cancel ext_1",
  "download ext_1",
  "account show",
  "submit https://example.com/"
];

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
        const { url } = yield* hostileServer;
        for (const command of COMMANDS) {
          for (const json of [[], ["--json"]]) {
            const words = [...command.split(" "), "--url", url, "--api-key", "wnw_x", ...json];
            const { stdout, stderr } = yield* winnow(words);
            assert.match(stdout + stderr, /ee|ext_1/u, command);
            assertClean(stdout + stderr, command);
          }
        }
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
        for (const command of [...COMMANDS, "webhook deliveries --status failed"])
          yield* winnow([...command.split(" "), "--url", url, "--api-key", "wnw_x"]);
        const names = asked.flatMap((path) => [...new URL(path, url).searchParams.keys()]);
        assert.deepStrictEqual([...new Set(names)].toSorted(), ["limit", "status"]);
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
