/**
 * The browser and the process that drives it: started together, and ended together. On Linux both are killed when
 * this process dies; elsewhere they exit when their pipes break. Tests: Survival.test.ts.
 */
// oxlint-disable-next-line no-restricted-imports -- reads /proc only
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ProxySocket } from "@winnow/isolation/network/Egress";
import { endingWithParent, limited, signalGroup } from "@winnow/isolation/process/BoundedProcess";
import { makeProgramFolder, makeRunFolder } from "@winnow/isolation/process/RunFolder";
import {
  frames,
  type ServerEnded,
  type ServerProcess,
  startServer
} from "@winnow/isolation/process/ServerProcess";
import { programFiles } from "@winnow/isolation/sandbox/programFiles";
import type { Sandbox } from "@winnow/isolation/sandbox/Sandbox";
import { browserFlags } from "./ChromiumProgram.ts";
import {
  ANSWER_BYTES_MAX,
  CLOSE_TIMEOUT_MS,
  FILE_BYTES_MAX,
  PROCESS_MEMORY_BYTES,
  START_TIMEOUT_MS
} from "./RenderLimits.ts";
import type { HostReady, HostSetup } from "./RenderMessages.ts";

/** The extension of this module: TypeScript in the workspace, JavaScript when built. */
const ENTRY = fileURLToPath(new URL(import.meta.url.replace(/BrowserProcess(\.[jt]s)$/u, "RenderHost$1")));

/** JavaScript heap of the process that drives the browser, in MB; it holds several copies of a document. */
const HEAP_MB = 256;

/** Poll interval and time limit for the exit of the browser's process group after it was killed. */
const EXIT_POLL_MS = 10;
const EXIT_TIMEOUT_MS = 10_000;

const names = (pid: string, file: "environ" | "cmdline", folder: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1").includes(folder);
  } catch {
    return false;
  }
};

/**
 * Live processes with `folder` in their environment or command line, including those that left the group, as crash
 * handlers do. Some browser processes overwrite their environment with their title.
 */
const processesOf = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid) && (names(pid, "environ", folder) || names(pid, "cmdline", folder)))
    .map(Number);

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had already ended.
  }
};

/** Zombies have neither and count as exited, because init may be slow to reap them. */
const haveExited = (group: number | null, folder: string): boolean => {
  const left = group !== null && signalGroup(group, "SIGKILL");
  if (process.platform !== "linux") return !left;
  const pids = processesOf(folder);
  pids.forEach(kill);
  return pids.length === 0;
};

const awaitBrowserExit = async (group: number | null, folder: string): Promise<void> => {
  for (let waitedMs = 0; waitedMs < EXIT_TIMEOUT_MS && !haveExited(group, folder); waitedMs += EXIT_POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, EXIT_POLL_MS));
  }
};

/** As root, Chromium only starts without its own sandbox; in our sandbox the user is never root. */
const canSandbox = (): boolean => process.getuid?.() !== 0;

/** Short name: Chromium creates a socket in it, whose path is limited to 107 characters. */
const WORKING_FOLDER = "/proc/self/cwd";

/** The sandbox around the browser; null where programs run without one. */
interface BrowserConfinement {
  readonly sandbox: Sandbox;
  readonly proxySocket: ProxySocket;
}

interface BrowserOptions {
  /** Absolute path of the browser. */
  readonly program: string;
  readonly workDir: string;
  readonly confinement: BrowserConfinement | null;
}

/** The browser's command, and its folder for home, temporary files and profile. */
const setupOf = ({ confinement, program }: BrowserOptions, folder: string): HostSetup => ({
  command:
    confinement === null
      ? endingWithParent([program])
      : confinement.sandbox.confine(
          {
            folder,
            proxySocket: confinement.proxySocket,
            readable: programFiles(program),
            // Chromium's own sandbox consists of them; without, it does not start.
            nestsNamespaces: true
          },
          [program]
        ),
  environment: {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: process.platform === "linux" ? WORKING_FOLDER : folder,
    LANG: "C.UTF-8",
    // Otherwise it looks for a session bus and logs that there is none.
    DBUS_SESSION_BUS_ADDRESS: "disabled:"
  },
  flags: browserFlags({
    profileFolder: `${folder}/profile`,
    sandbox: confinement !== null || canSandbox()
  })
});

/** Both processes have exited, and their folders are removed, before the scope is closed. */
export const startBrowser = Effect.fnUntraced(function* (
  options: BrowserOptions
): Effect.fn.Return<ServerProcess, ServerEnded, Scope.Scope> {
  const run = yield* makeRunFolder(options.workDir);
  const folder = yield* makeProgramFolder(run);
  const setup = setupOf(options, folder);
  // In a sandbox, the browser must not be able to change files of the process outside.
  const isConfined = options.confinement !== null;
  const hostFolder = isConfined ? run.path : folder;
  /** In a sandbox, the browser's process id belongs to another namespace and means nothing outside. */
  let group: number | null = null;
  const start = Effect.sync(() =>
    startServer({
      command: limited({
        program: process.execPath,
        args: [`--max-old-space-size=${HEAP_MB}`, ENTRY, JSON.stringify(setup)],
        dataMaxBytes: PROCESS_MEMORY_BYTES,
        fileMaxBytes: FILE_BYTES_MAX
      }),
      folder: hostFolder,
      environment: { ...setup.environment, HOME: hostFolder, TMPDIR: hostFolder },
      channel: frames(ANSWER_BYTES_MAX),
      startTimeoutMs: START_TIMEOUT_MS,
      cancelTimeoutMs: CLOSE_TIMEOUT_MS
    })
  );
  const host = yield* Effect.acquireRelease(start, ({ end }) =>
    Effect.andThen(
      end,
      Effect.promise(() => awaitBrowserExit(group, folder))
    )
  );
  const { header } = yield* host.ready;
  const { browserPid } = (header as { readonly ready: HostReady }).ready;
  if (!isConfined && browserPid > 0) group = browserPid;
  return host;
});
