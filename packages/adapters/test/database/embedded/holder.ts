/**
 * A separate process that uses the embedded server: `node holder.ts <options as JSON>`. Prints the URL; exits
 * when its standard input closes.
 */
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { type EmbeddedPostgresOptions, start } from "../../../src/database/embedded/EmbeddedPostgres.ts";

const options = JSON.parse(process.argv[2] ?? "") as EmbeddedPostgresOptions;

const untilInputCloses = Effect.promise(
  () => new Promise((resolve) => process.stdin.once("close", resolve).resume())
);

const program = Effect.gen(function* () {
  const { url } = yield* start(options);
  process.stdout.write(`${Redacted.value(url)}\n`);
  yield* untilInputCloses;
});

await Effect.runPromise(Effect.scoped(program));
