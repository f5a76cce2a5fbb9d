/** Reads a schema from a file or from standard input. */
import { readFile } from "node:fs/promises";
import * as Effect from "effect/Effect";
import { CliFailed } from "./CliFailed.ts";

/** `-` is standard input. */
export const readSchema = (file: string): Effect.Effect<unknown, CliFailed> =>
  Effect.tryPromise({
    try: async () => JSON.parse(await readFile(file === "-" ? "/dev/stdin" : file, "utf8")) as unknown,
    catch: (cause) =>
      new CliFailed({
        message:
          cause instanceof SyntaxError
            ? `${file} is not valid JSON.`
            : `${file} cannot be read; check that it exists.`
      })
  });
