/**
 * Ends a server that nobody uses any more: whoever started it was killed and never came back.
 *
 * Used is a server with a session: every process that uses it has one, its lease. On Linux only, whose /proc tells
 * who has which.
 */
import { spawn } from "node:child_process";
import { type ServerUser, spawnAs } from "./ServerUser.ts";

/** A server without a session ends after this; the next start needs a second. */
export const ABANDONED_AFTER_SECONDS = 300;

/** Looks of the watchdog until then. */
const LOOKS = 10;

/** How PostgreSQL titles the process of a session: user, database, address and port of the other side. */
export const SESSION = "127.0.0.1(";

/**
 * A shell that costs a megabyte, and nothing between its looks. It leaves with the server, which is told from
 * another process of that number by when it began.
 */
const WATCHDOG = `
born() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
since=$(born "$1"); quiet=0
while sleep "$2"; do
  [ -n "$since" ] && [ "$(born "$1")" = "$since" ] || exit 0
  quiet=$((quiet + 1))
  for child in $(cat "/proc/$1/task/$1/children"); do
    case $(tr '\\0' ' ' < "/proc/$child/cmdline") in *"${SESSION}"*) quiet=0; break ;; esac
  done 2>/dev/null
  if [ "$quiet" -ge "$3" ]; then kill -INT "$1"; exit 0; fi
done`;

/** Ends the server once nobody has used it for so long. Outlives this process, as the server does. */
export const watchOver = (pid: number, user: ServerUser | null, afterSeconds: number): void => {
  if (process.platform !== "linux") return;
  const every = String(afterSeconds / LOOKS);
  spawn("/bin/sh", ["-c", WATCHDOG, "winnow-watchdog", String(pid), every, String(LOOKS)], {
    ...spawnAs(user),
    detached: true,
    stdio: "ignore"
  })
    .on("error", () => {}) // without a shell it runs until the next start finds it
    .unref();
};
