/** The tools over standard input and output: what is written to the host, line by line. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Sink from "effect/Sink";
import * as Stdio from "effect/Stdio";
import * as Stream from "effect/Stream";
import { serveStdio } from "../../src/mcp/serveStdio.ts";

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" }
};

const BREAKS = "a\u0085b\u2028c\u2029d";

describe("the tools on standard output", () => {
  it.effect("are one line a message for hosts that split at other line breaks too", () =>
    Effect.gen(function* () {
      const asked = [
        { method: "initialize", params: hello },
        {
          method: "prompts/get",
          params: { name: "extract-with-schema", arguments: { url: BREAKS, fields: "x" } }
        }
      ].map((message, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
      let written = "";
      const serving = yield* serveStdio("acc_1", {} as never, 0).pipe(
        Effect.provide(
          Stdio.layerTest({
            stdin: Stream.encodeText(Stream.fromIterable(asked)),
            stdout: () => Sink.forEach((text) => Effect.sync(() => (written += String(text))))
          })
        ),
        Effect.forkChild
      );
      yield* Fiber.await(serving);
      const lines = written.split(/[\n\u0085\u2028\u2029]/u).filter((line) => line !== "");
      assert.lengthOf(lines, asked.length);
      assert.include(JSON.parse(lines.at(-1) ?? "").result.messages[0].content.text, BREAKS);
    })
  );
});
