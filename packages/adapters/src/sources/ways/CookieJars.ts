/** The operator's cookie files: what programs get of them, and their state. Tests: CookieJar.test.ts, isolation.test.ts. */
import { readFile, stat } from "node:fs/promises";
import { cookiesFor, jarExpiresAtMs, jarProblem, jarText, readJar, JAR_MAX_BYTES } from "./CookieJar.ts";
import type { CookieJarFile } from "./SourceRoute.ts";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { writeInput } from "@winnow/isolation/process/RunFiles";
import type { Trouble } from "@winnow/isolation/runtime/Trouble";

/** Its name in the folder of a program. */
export const COOKIES_FILE = "cookies.txt";

/**
 * Copies a jar to a program's new folder, before it starts: the program may rewrite the file, and gets only the cookies
 * of the jar's hosts.
 */
export const copyCookies = (jar: CookieJarFile | null, folder: string): Effect.Effect<void> =>
  jar === null
    ? Effect.void
    : Effect.gen(function* () {
        const text = yield* Effect.promise(() => readFile(jar.path, "utf8"));
        const own =
          jar.hosts === null
            ? text
            : jarText(
                cookiesFor(
                  Result.getOrElse(readJar(text), () => []),
                  jar.hosts
                )
              );
        yield* writeInput(folder, COOKIES_FILE, own);
      });

export interface JarState {
  /** Cookies for the hosts of the jar. */
  readonly cookies: number;
  /** When the file was written; null if it cannot be read. */
  readonly writtenAtMs: number | null;
  readonly expiresAtMs: number | null;
  /** Null if nothing is wrong. */
  readonly trouble: Trouble | null;
}

const unusable = (trouble: Trouble): JarState => ({
  cookies: 0,
  writtenAtMs: null,
  expiresAtMs: null,
  trouble
});

/** Never rejects. */
export const examineJar = async ({ hosts, path }: CookieJarFile, nowMs: number): Promise<JarState> => {
  try {
    const { mtimeMs, size } = await stat(path);
    if (size > JAR_MAX_BYTES)
      return unusable({
        problem: `is larger than ${JAR_MAX_BYTES} bytes: it is no cookie file`,
        remedy: null
      });
    const jar = readJar(await readFile(path, "utf8"));
    if (Result.isFailure(jar)) return unusable(jar.failure);
    const writtenAtMs = Math.floor(mtimeMs);
    const own = cookiesFor(jar.success, hosts);
    return {
      cookies: own.length,
      writtenAtMs,
      expiresAtMs: jarExpiresAtMs(own, writtenAtMs),
      trouble: jarProblem(jar.success, { hosts, writtenAtMs }, nowMs)
    };
  } catch {
    return unusable({
      problem: "cannot be read",
      remedy: "check that it exists and that the server may read it"
    });
  }
};
