/**
 * Stops an unused server: the process that started it was killed and never restarted.
 *
 * A server is in use while it has a session: every process that uses it holds one, its lease. Linux only, because
 * it reads /proc.
 */
import { spawn } from "node:child_process";
import { type ServerUser, spawnAs } from "./ServerUser.ts";

/** A server without a session ends after this time; the next start takes a second. */
export const ABANDONED_AFTER_SECONDS = 300;

/** Polls of the watchdog until then. */
const POLLS = 10;

/** PostgreSQL's process title of a session: user, database, client address and port. */
const SESSION = "127.0.0.1(";

/**
 * A shell that takes a megabyte, and no processor time between polls. It ends with the server, which its start time
 * distinguishes from a later process with the same id.
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

/** Stops the server once nobody has used it for this long. Outlives this process, like the server. */
export const watchOver = (pid: number, user: ServerUser | null, afterSeconds: number): void => {
  if (process.platform !== "linux") return;
  const every = String(afterSeconds / POLLS);
  spawn("/bin/sh", ["-c", WATCHDOG, "winnow-watchdog", String(pid), every, String(POLLS)], {
    ...spawnAs(user),
    detached: true,
    stdio: "ignore"
  })
    .on("error", () => {}) // without a shell it runs until the next start finds it
    .unref();
};
