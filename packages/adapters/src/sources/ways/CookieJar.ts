/**
 * Cookie files in Netscape format, as browsers' extensions and yt-dlp write them: which hosts get their cookies, and when
 * they expire. Pure.
 */
import type { Trouble } from "@winnow/isolation/runtime/Trouble";
import * as Result from "effect/Result";
import { isWithin } from "./SourceRoute.ts";
import { DAY_MS } from "@winnow/core/domain/Durations";

export interface JarLine {
  /** Lower-case, without the dot in front. */
  readonly domain: string;
  readonly name: string;
  /** Null for a cookie of a session, which does not expire by itself. */
  readonly expiresAtMs: number | null;
  /** As in the file. */
  readonly text: string;
}

/** Domain, subdomains, path, secure, expiry, name, value. */
const FIELDS = 7;

/** Larger files are no cookie jars; a browser keeps at most some thousand cookies. */
export const JAR_MAX_BYTES = 4 * 2 ** 20;

const HEADER = "# Netscape HTTP Cookie File";

/** In front of cookies that scripts of a page cannot read; all other lines that start with # are comments. */
const HTTP_ONLY = "#HttpOnly_";

const readLine = (text: string): JarLine | null => {
  const fields = text.replace(HTTP_ONLY, "").split("\t");
  if (fields.length !== FIELDS) return null;
  const [domain = "", , , , expiry = "", name = ""] = fields;
  const seconds = Number(expiry);
  return {
    domain: domain.replace(/^\./u, "").toLowerCase(),
    name,
    expiresAtMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
    text
  };
};

/** A format that people take for a cookie file, and how to get one. */
const otherFormat = (text: string): Trouble => {
  const start = text.trimStart();
  const remedy = "export it in Netscape format (cookies.txt)";
  if (/^[[{]/u.test(start)) return { problem: "is JSON, as some browser extensions export it", remedy };
  if (start.startsWith("SQLite format")) return { problem: "is a browser's own cookie database", remedy };
  if (/^(?:cookie:\s*)?[\w.-]+=[^\t]*(?:;|$)/iu.test(start)) return { problem: "is a Cookie header", remedy };
  return {
    problem: "is not in Netscape format (cookies.txt), in which each line has seven fields between tabs",
    remedy: null
  };
};

/** The cookies of a file; yt-dlp skips lines that cannot be read, too. Fails with what the file is instead. */
export const readJar = (text: string): Result.Result<ReadonlyArray<JarLine>, Trouble> => {
  const lines = text
    .split(/\r\n|\n|\r/u)
    .filter((line) => line.trim() !== "" && (!line.startsWith("#") || line.startsWith(HTTP_ONLY)));
  const cookies = lines.map(readLine).filter((line) => line !== null);
  return lines.length > 0 && cookies.length === 0 ? Result.fail(otherFormat(text)) : Result.succeed(cookies);
};

/** The cookies that programs may send: those of the hosts, and none of a whole top-level domain. */
export const cookiesFor = (
  jar: ReadonlyArray<JarLine>,
  hosts: ReadonlyArray<string> | null
): ReadonlyArray<JarLine> =>
  hosts === null ? jar : jar.filter(({ domain }) => hosts.some((host) => isWithin(domain, host)));

export const jarText = (jar: ReadonlyArray<JarLine>): string =>
  [HEADER, "", ...jar.map(({ text }) => text), ""].join("\n");

/** Cookies that live shorter are renewed by the site itself. */
const LASTING_MS = 30 * DAY_MS;

/** A jar that expires within this time is warned of. */
const EXPIRY_WARNING_MS = 7 * DAY_MS;

/**
 * When the jar stops working: the earliest end of a cookie that lasted a month or longer when the file was written, as
 * those of a login do; without one, the last end of all. Null if nothing in it expires.
 */
export const jarExpiresAtMs = (jar: ReadonlyArray<JarLine>, writtenAtMs: number): number | null => {
  const ends = jar.flatMap(({ expiresAtMs }) => expiresAtMs ?? []);
  const lasting = ends.filter((end) => end - writtenAtMs >= LASTING_MS);
  if (lasting.length > 0) return Math.min(...lasting);
  return ends.length === 0 ? null : Math.max(...ends);
};

/** Null while there is nothing to do about the jar. */
export const jarProblem = (
  jar: ReadonlyArray<JarLine>,
  { hosts, writtenAtMs }: { readonly hosts: ReadonlyArray<string> | null; readonly writtenAtMs: number },
  nowMs: number
): Trouble | null => {
  const own = cookiesFor(jar, hosts);
  if (own.length === 0) {
    const whose = hosts === null ? "" : ` for the hosts of its route (${hosts.join(", ")})`;
    return { problem: `has no cookies${whose}`, remedy: null };
  }
  const expiresAtMs = jarExpiresAtMs(own, writtenAtMs);
  if (expiresAtMs === null || expiresAtMs - nowMs > EXPIRY_WARNING_MS) return null;
  const days = Math.ceil((expiresAtMs - nowMs) / DAY_MS);
  const problem = days <= 0 ? "has expired" : `expires within ${days} ${days === 1 ? "day" : "days"}`;
  return { problem, remedy: "export it again" };
};
