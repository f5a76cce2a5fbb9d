/** Untrusted text in the output of commands and logs. */
import { execFileSync } from "node:child_process";
import { assert, describe, it } from "@effect/vitest";
import { HOSTILE_TEXT, INVISIBLE_OR_CONTROL } from "@winnow/testing/samples/samples";
import { jsonText, terminalText } from "../src/TerminalText.ts";

const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process that logs and prints untrusted text in every possible way. */
const program = (isTerminal: boolean): string => `
  const load = (name) => import(name);
  const { layer } = await load(${at("../src/Logging.ts")});
  const Effect = await load(${JSON.stringify(import.meta.resolve("effect/Effect"))});
  const Console = await load(${JSON.stringify(import.meta.resolve("effect/Console"))});
  const strange = ${JSON.stringify(HOSTILE_TEXT)};
  class Failed extends Error {}
  const all = Effect.all([
    Effect.logInfo(strange),
    Effect.logInfo("said", strange, { title: strange }),
    Effect.logWarning("failed", new Failed(strange)),
    Effect.logError("annotated").pipe(Effect.annotateLogs({ [strange]: strange, deep: { title: strange } })),
    Effect.logInfo("timed").pipe(Effect.withLogSpan(strange)),
    Console.log(strange),
    Console.error("an error: %s", strange, { title: strange })
  ]);
  await Effect.runPromise(Effect.provide(all, layer("info", ${isTerminal})));
`;

const writtenBy = (isTerminal: boolean) =>
  execFileSync(
    "/bin/sh",
    ["-c", `"$0" --input-type=module --eval "$1" 2>&1`, process.execPath, program(isTerminal)],
    {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] }
    }
  );

describe("terminal text", () => {
  it("keeps the program's colours and no other control sequences", () => {
    assert.strictEqual(
      terminalText(`\u001b[1;31mred\u001b[0m ${HOSTILE_TEXT}\u001b[2J`),
      "\u001b[1;31mred\u001b[0m Price\n free[2J"
    );
  });

  it("is lossless as JSON", () => {
    const json = jsonText({ title: HOSTILE_TEXT });
    assert.notMatch(json, INVISIBLE_OR_CONTROL);
    assert.strictEqual(JSON.parse(json).title, HOSTILE_TEXT);
  });

  it("is everything that logs and commands write: message, cause, annotation, span, on a terminal and as JSON", () => {
    for (const isTerminal of [true, false]) {
      // oxlint-disable-next-line no-control-regex
      const text = writtenBy(isTerminal).replaceAll(/\u001b\[[\d;]*m/gu, "");
      assert.include(text, "annotated");
      for (const line of text.split("\n")) assert.notMatch(line, INVISIBLE_OR_CONTROL, JSON.stringify(line));
    }
  });
});
