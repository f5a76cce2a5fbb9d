/** A program that tries everything, as a child of Winnow: in the sandbox it gets nothing of it. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { runBounded } from "../../src/programs/BoundedProcess.ts";
import { examineSandbox, type Sandbox } from "../../src/programs/sandbox/Sandbox.ts";
import { until } from "../download/harness.ts";

const ROGUE = fileURLToPath(new URL("./rogue.py", import.meta.url));
const MIB = 2 ** 20;
const NOBODY = 65_534;

const report = await examineSandbox();
const isRoot = process.getuid?.() === 0;

/** Attempts that succeed without a sandbox, on this machine alone: so each could fail its test. */
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

/** Those that would leave this machine, or harm it, without. */
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
  "filling temporary files",
  "filling shared memory",
  "a file beyond its limit",
  "memory beyond its limit"
];

/** Root may make as many as it likes: its processes are nobody's. */
const OF_PLAIN_USERS: ReadonlyArray<string> = ["ten thousand processes"];

const listening = (server: Server, at: ListenOptions) =>
  new Promise<void>((resolve) => void server.listen(at, resolve));

/** What a child could want: listeners of every kind, files, and a process with secrets. */
const makeOutside = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-rogue-"));
    const mark = `winnow-mark-${folder.slice(-6)}`;
    const arrivals: Array<string> = [];
    const listener = (name: string) =>
      createServer((socket) => {
        arrivals.push(name);
        // What connects may write first, or it would fail for a reason of its own.
        socket.on("error", () => undefined).once("data", () => socket.destroy());
      });
    const [tcp, abstract, database] = [listener("tcp"), listener("abstract"), listener("database")];
    await listening(tcp, { port: 0, host: "127.0.0.1" });
    await listening(abstract, { path: `\0${mark}` });
    await listening(database, { path: join(folder, ".s.PGSQL.5432") });
    const udp = createSocket("udp4");
    udp.on("message", () => arrivals.push("udp"));
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    // Stands for the server: a process of the same user, with a secret in its environment.
    const server = spawn("/usr/bin/sleep", ["600"], {
      env: { ADMIN_TOKEN: mark },
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {})
    });
    for (const run of ["run_own", "run_other"]) mkdirSync(join(folder, run));
    writeFileSync(join(folder, "admin-token"), mark);
    writeFileSync(join(folder, "run_other", "secret"), mark);
    const allowed = [
      folder,
      ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
    ];
    // The walls are to hold, not the modes of files.
    for (const path of allowed) {
      chmodSync(path, 0o777);
      if (isRoot) chownSync(path, NOBODY, NOBODY);
    }
    const outside = {
      mark,
      pid: server.pid ?? 0,
      home: homedir(),
      tcpPort: (tcp.address() as AddressInfo).port,
      udpPort: udp.address().port,
      abstractSocket: mark,
      databaseSocket: join(folder, ".s.PGSQL.5432"),
      adminTokenFile: join(folder, "admin-token"),
      otherRunFile: join(folder, "run_other", "secret"),
      tmpBytes: 128 * MIB,
      fileBytes: 64 * MIB,
      memoryBytes: 1_024 * MIB
    };
    return { outside, folder, arrivals, server, servers: [tcp, abstract, database], udp };
  }),
  ({ folder, server: standIn, servers, udp }) =>
    Effect.sync(() => {
      standIn.kill("SIGKILL");
      for (const server of servers) server.close();
      udp.close();
      rmSync(folder, { recursive: true, force: true });
    })
);

interface Attempt {
  readonly attempt: string;
  readonly got: boolean;
  readonly why: string;
}

const processesNaming = (mark: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(mark);
    } catch {
      return false;
    }
  });

/** As root does, and as a server does that is nobody in particular. */
const asUser = (sandbox: Sandbox): Sandbox => ({
  confine: (confined, command) => [
    "/usr/bin/setpriv",
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    "--clear-groups",
    ...sandbox.confine(confined, command).flatMap((word, index, words) =>
      // Those are of the root that this process is.
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
    confinement: sandbox === null ? null : { sandbox, readable: [ROGUE], door: null }
  });
  const results = stdout
    .trim()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Attempt] : []));
  assert.deepStrictEqual(
    results.map(({ attempt }) => attempt),
    [...attempts],
    stderr
  );
  const left = () => processesNaming(outside.mark);
  if (sandbox !== null) yield* until(() => left().length === 0);
  const survivors = left();
  for (const pid of survivors) process.kill(Number(pid), "SIGKILL");
  return { results, arrivals, survivors };
});

/** Sending into nowhere is not a feat, nor is leaving somebody behind: what counts is who arrives, and who lives on. */
const SEEN_OUTSIDE: ReadonlySet<string> = new Set(["udp to loopback", "outliving its run"]);

const gotOf = (results: ReadonlyArray<Attempt>): ReadonlyArray<string> =>
  results.filter(({ attempt, got }) => got && !SEEN_OUTSIDE.has(attempt)).map(({ attempt }) => attempt);

describe.skipIf(process.platform !== "linux")("A rogue", () => {
  it.live("gets all that lies around, without a sandbox", () =>
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

/** Without bubblewrap there is nothing to try, and the names of the tests say so. */
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
    it.live.each([...LOCAL, ...OTHERS, ...more])("gets nothing: %s", (attempt) =>
      Effect.gen(function* () {
        const { arrivals, results, survivors } = yield* attack([attempt], walls);
        assert.deepStrictEqual(gotOf(results), []);
        assert.deepStrictEqual(arrivals, []);
        assert.deepStrictEqual(survivors, []);
      })
    );
  });
}
