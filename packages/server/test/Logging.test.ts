/** What a process writes to standard error, with and without a terminal. */
import { execFileSync } from "node:child_process";
import { assert, describe, it } from "vitest";

const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process that logs, and whose standard error is or is not a terminal. */
const program = (isTerminal: boolean): string => `
  process.stderr.isTTY = ${isTerminal};
  const { fromEnvironment } = await import(${at("../src/Logging.ts")});
  const Effect = await import(${JSON.stringify(import.meta.resolve("effect/Effect"))});
  const odd = Effect.annotateLogs(Effect.logInfo("it failed", { port: 1 }), { parts: ["a"], none: null });
  const error = Object.assign(new Error("it broke"), { client: { secretKey: 4711 } });
  const broken = Effect.logWarning("it failed", error);
  const usual = Effect.andThen(Effect.logDebug("too fine"), Effect.logInfo("it listens"));
  const log = { odd, broken }[process.env.ODD] ?? usual;
  await Effect.runPromise(Effect.provide(Effect.annotateLogs(log, { requestId: "req_1" }), fromEnvironment(true)));
`;

const logOf = (isTerminal: boolean, env: Record<string, string> = {}) => {
  const command = `"$0" --input-type=module --eval "$1" 2>&1 >/dev/null`;
  return execFileSync("/bin/sh", ["-c", command, process.execPath, program(isTerminal)], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env }
  });
};

describe("the log", () => {
  it("is JSON if not on a terminal, one object per line", () => {
    const lines = logOf(false, { WINNOW_LOG_LEVEL: "debug" }).trimEnd().split("\n");
    const entries = lines.map((line) => JSON.parse(line));
    assert.deepStrictEqual(
      entries.map(({ level, message, annotations }) => [level, message, annotations]),
      [
        ["DEBUG", "too fine", { requestId: "req_1" }],
        ["INFO", "it listens", { requestId: "req_1" }]
      ]
    );
  });

  it("has one type per field", () => {
    const line = JSON.parse(logOf(false, { ODD: "odd" }).trimEnd().split("\n").at(-1) ?? "{}");
    assert.strictEqual(line.message, 'it failed {"port":1}');
    assert.deepStrictEqual(line.annotations, { parts: '["a"]', requestId: "req_1" });
    assert.isUndefined(line.cause);
  });

  it("contains the message of an error, and none of its fields", () => {
    const text = logOf(false, { ODD: "broken" });
    assert.strictEqual(
      JSON.parse(text.trimEnd().split("\n").at(-1) ?? "{}").message,
      "it failed Error: it broke"
    );
    assert.notInclude(text, "4711");
  });

  it("is readable text on a terminal, with annotations", () => {
    // oxlint-disable-next-line no-control-regex
    const text = logOf(true).replaceAll(/\u001B\[[\d;]*m/gu, "");
    assert.match(text, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO \(#\d+\): it listens/u);
    assert.include(text, "requestId: req_1");
    assert.throws(() => JSON.parse(text));
  });

  it("starts at `info` by default, and can be off", () => {
    assert.notInclude(logOf(false), "too fine");
    assert.strictEqual(logOf(false, { WINNOW_LOG_LEVEL: "none" }), "");
  });
});
