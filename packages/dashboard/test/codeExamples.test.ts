// @module-tag long
/** The code beside the form, run: it sends what the form sends. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Submission } from "@winnow/client";
import { afterAll, assert, beforeAll, describe, it } from "vitest";
import { sharedProgram } from "../../server/test/ProgramBroker.ts";
import { CODE_KINDS, codeOf } from "../src/screens/new/CodeExamples.tsx";

const run = promisify(execFile);

const BODIES: ReadonlyArray<Submission> = [
  { url: "https://example.com/it's?a=$HOME&b=`id`", maxCredits: 0 },
  {
    url: "https://example.com/",
    parts: ["video"],
    force: true,
    range: { startSec: 65.5, endSec: 3_600 },
    policy: "strict",
    maxAgeSeconds: 0,
    webhookUrl: "https://hooks.example/",
    maxCredits: 500
  },
  { fromExtraction: "ext_1", schemaId: "sch_1", evidence: "require", maxAgeSeconds: 60, speech: true },
  {
    url: "https://example.com/",
    inputs: ["transcript"],
    prompt: "in \"euros\", true or false\n\\d ${x} 日本 🎈\u2028 '''",
    language: "pt-BR",
    auto: true,
    maxSpendCredits: 20,
    schema: {
      type: "object",
      properties: {
        null: { type: ["string", "null"], enum: ["true", null] },
        "a'b": { default: false },
        ["__proto__"]: { type: "string" }
      },
      additionalProperties: false
    }
  }
];

/** In place of the library, which not every machine has. */
const PYTHON_LIBRARY = `
import json, sys, types, urllib.request
def post(url, headers, json):
    data = sys.modules["json"].dumps(json).encode()
    headers = {**headers, "content-type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(url, data, headers))
sys.modules["requests"] = types.SimpleNamespace(post=post)
`;

const WINNOW = (await sharedProgram()) ?? path.resolve(import.meta.dirname, "../../cli/bin/winnow.mjs");

type Program = readonly [name: string, args: ReadonlyArray<string>];

const PROGRAMS: Readonly<Record<(typeof CODE_KINDS)[number], (code: string) => Program>> = {
  curl: (code) => ["bash", ["-c", code]],
  typescript: (code) => [process.execPath, ["--input-type=module", "-e", code]],
  python: (code) => ["python3", ["-c", PYTHON_LIBRARY + code]],
  cli: (code) => ["bash", ["-c", `winnow() { "${process.execPath}" "${WINNOW}" "$@"; }\n${code}`]]
};

describe("the code beside the form", () => {
  const received: Array<unknown> = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const key = headers["x-api-key"] ?? headers.authorization?.replace("Bearer ", "");
    received.push([method, url, key, await json(request)]);
    response.writeHead(400, { "content-type": "application/json" });
    response.end('{"error":{"code":"invalid_request","message":"Enough."}}');
  });
  let address = "";

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  });
  afterAll(() => server.close());

  it.each(CODE_KINDS.flatMap((kind) => BODIES.map((body, index) => [kind, index, body] as const)))(
    "in %s sends body %i as the form does, with the key of the environment",
    async (kind, _, body) => {
      received.length = 0;
      const [program, args] = PROGRAMS[kind](codeOf(kind, body, address));
      const options = {
        cwd: `${import.meta.dirname}/..`,
        env: { ...process.env, WINNOW_API_KEY: "wnw_of-the-test" }
      };
      // Refused by the server: that is an error to all but curl.
      await run(program, [...args], options).catch(() => undefined);
      assert.deepStrictEqual(received, [["POST", "/base/v1/extractions", "wnw_of-the-test", body]]);
    }
  );
});
