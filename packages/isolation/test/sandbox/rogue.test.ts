// @module-tag long
/** A rogue program that Winnow runs: in the sandbox, each of its attempts fails. */
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { runBounded } from "../../src/process/BoundedProcess.ts";
import { examineSandbox, type Sandbox } from "../../src/sandbox/Sandbox.ts";
import { until } from "../until.ts";
import { attemptsOf, gotOf, isRoot, makeOutside, MIB, NOBODY, ROGUE } from "./Outside.ts";
import { processesNaming } from "./processesNaming.ts";

const report = await examineSandbox();

/** Attempts that only affect this machine. They succeed without a sandbox, which shows that the tests can fail. */
const LOCAL: ReadonlyArray<string> = [
  "tcp to loopback",
  "udp to loopback",
  "an abstract Unix socket",
  "the socket of the database",
  "a file of the data folder",
  "a file of the server's home",
  "the folder of another run",
  "writing into another run",
  "the environment of the server",
  "any environment",
  "a descriptor of the server",
  "a signal to the server",
  "outliving its run"
];

/** Attempts that would leave or harm this machine without a sandbox, so they are only made in it. */
const OTHERS: ReadonlyArray<string> = [
  "tcp to loopback over IPv6",
  "tcp to a private address",
  "tcp to the metadata service",
  "tcp to a public address",
  "udp to a name server",
  "a name looked up",
  "a raw socket",
  "the passwords of the system",
  "ptrace of the server",
  "writing to the system",
  "writing to the root",
  "writing to a device folder",
  "a mount",
  "a user namespace",
  "a program for the kernel to run",
  "a setting of the kernel",
  "the limit of user namespaces",
  "filling temporary files",
  "filling shared memory",
  "a file beyond its limit",
  "memory beyond its limit"
];

/** For root, the number of processes is not limited. The last one, because its processes stay until the program ends. */
const OF_PLAIN_USERS: ReadonlyArray<string> = ["ten thousand processes"];

/** The same sandbox, started by root as an unprivileged user. */
const asUser = (sandbox: Sandbox): Sandbox => ({
  confine: (confined, command) => [
    "/usr/bin/setpriv",
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    "--clear-groups",
    ...sandbox.confine(confined, command).flatMap((word, index, words) =>
      // These options are only present because this process is root.
      ["--uid", "--gid"].includes(word) || ["--uid", "--gid"].includes(words[index - 1] ?? "") ? [] : [word]
    )
  ]
});

const attack = Effect.fnUntraced(function* (attempts: ReadonlyArray<string>, sandbox: Sandbox | null) {
  const { arrivals, folder, outside } = yield* makeOutside;
  const own = join(folder, "run_own");
  const { stdout, stderr } = yield* runBounded({
    program: "/usr/bin/python3",
    args: ["-I", "-S", ROGUE, JSON.stringify({ ...outside, attempts })],
    folder: own,
    environment: { PATH: "/usr/bin:/bin" },
    timeoutMs: 100_000,
    stdoutMaxBytes: MIB,
    memoryMaxBytes: 512 * MIB,
    fileMaxBytes: 32 * MIB,
    confinement: sandbox === null ? null : { sandbox, readable: [ROGUE], proxySocket: null }
  });
  const results = attemptsOf(stdout, attempts, stderr);
  const left = () => processesNaming(outside.mark);
  if (sandbox !== null) yield* until(() => left().length === 0);
  const survivors = left();
  for (const pid of survivors) process.kill(Number(pid), "SIGKILL");
  return { results, arrivals, survivors };
});

describe.skipIf(process.platform !== "linux")("A rogue", () => {
  it.live("gets everything it tries, without a sandbox", () =>
    Effect.gen(function* () {
      const { arrivals, results } = yield* attack(
        LOCAL.filter((attempt) => attempt !== "outliving its run"),
        null
      );
      assert.deepStrictEqual(
        results.filter(({ got }) => !got),
        []
      );
      assert.sameMembers([...new Set(arrivals)], ["tcp", "udp", "abstract", "database"]);
    })
  );
});

/** Without bubblewrap there is nothing to test, and the test names say so. */
const SKIPPED = report.works ? "" : ` (skipped: ${report.problem})`;

const WALLS: Sandbox = report.works ? report.sandbox : { confine: (_confined, command) => command };

const USERS: ReadonlyArray<readonly [user: string, walls: Sandbox, more: ReadonlyArray<string>]> = isRoot
  ? [
      ["root", WALLS, []],
      ["a plain user", asUser(WALLS), OF_PLAIN_USERS]
    ]
  : [["a plain user", WALLS, OF_PLAIN_USERS]];

for (const [user, walls, more] of USERS) {
  describe.skipIf(!report.works)(`A rogue in the sandbox of ${user}${SKIPPED}`, () => {
    it.live("gets nothing of all that it tries", () =>
      Effect.gen(function* () {
        const { arrivals, results, survivors } = yield* attack([...LOCAL, ...OTHERS, ...more], walls);
        assert.deepStrictEqual([gotOf(results), arrivals, survivors], [[], [], []]);
      })
    );
  });
}
