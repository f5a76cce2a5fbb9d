/** What a process writes to standard error, with and without a terminal. */
import { spawnSync } from "node:child_process";
import { assert, beforeAll, describe, it } from "vitest";

const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

interface Case {
  readonly isTerminal?: boolean;
  /** Of WINNOW_LOG_LEVEL. */
  readonly level?: string;
  readonly logs?: "odd" | "broken";
}

const CASES = {
  usual: {},
  debug: { level: "debug" },
  off: { level: "none" },
  odd: { logs: "odd" },
  broken: { logs: "broken" },
  terminal: { isTerminal: true }
} satisfies Record<string, Case>;

/** Between the logs of the cases. */
const MARK = "=== ";

/** A process that logs every case, because loading its modules takes nearly all of its time. */
const PROGRAM = `
  const { fromEnvironment } = await import(${at("../src/Logging.ts")});
  const Effect = await import(${JSON.stringify(import.meta.resolve("effect/Effect"))});
  const odd = Effect.annotateLogs(Effect.logInfo("it failed", { port: 1 }), { parts: ["a"], none: null });
  const error = Object.assign(new Error("it broke"), { client: { secretKey: 4711 } });
  const broken = Effect.logWarning("it failed", error);
  const usual = Effect.andThen(Effect.logDebug("too fine"), Effect.logInfo("it listens"));
  for (const [name, { isTerminal = false, level = "", logs }] of Object.entries(${JSON.stringify(CASES)})) {
    process.stderr.write("${MARK}" + name + "\\n");
    process.stderr.isTTY = isTerminal;
    process.env.WINNOW_LOG_LEVEL = level;
    const log = { odd, broken }[logs] ?? usual;
    await Effect.runPromise(Effect.provide(Effect.annotateLogs(log, { requestId: "req_1" }), fromEnvironment(true)));
  }
`;

/** What each case has written to standard error. */
const written = new Map<string, string>();
beforeAll(() => {
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] }
  });
  for (const part of stderr.split(MARK).slice(1)) {
    const [name = ""] = part.split("\n", 1);
    written.set(name, part.slice(name.length + 1));
  }
});

const logOf = (name: keyof typeof CASES): string => written.get(name) ?? assert.fail(`${name} did not run`);

describe("the log", () => {
  it("is JSON if not on a terminal, one object per line", () => {
    const lines = logOf("debug").trimEnd().split("\n");
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
    const line = JSON.parse(logOf("odd").trimEnd().split("\n").at(-1) ?? "{}");
    assert.strictEqual(line.message, 'it failed {"port":1}');
    assert.deepStrictEqual(line.annotations, { parts: '["a"]', requestId: "req_1" });
    assert.isUndefined(line.cause);
  });

  it("contains the message of an error, and none of its fields", () => {
    const text = logOf("broken");
    assert.strictEqual(
      JSON.parse(text.trimEnd().split("\n").at(-1) ?? "{}").message,
      "it failed Error: it broke"
    );
    assert.notInclude(text, "4711");
  });

  it("is readable text on a terminal, with annotations", () => {
    // oxlint-disable-next-line no-control-regex
    const text = logOf("terminal").replaceAll(/\u001B\[[\d;]*m/gu, "");
    assert.match(text, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO \(#\d+\): it listens/u);
    assert.include(text, "requestId: req_1");
    assert.throws(() => JSON.parse(text));
  });

  it("starts at `info` by default, and can be off", () => {
    assert.notInclude(logOf("usual"), "too fine");
    assert.strictEqual(logOf("off"), "");
  });
});
