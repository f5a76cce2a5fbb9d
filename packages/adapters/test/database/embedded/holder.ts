/**
 * A separate process that owns the embedded server: `node holder.ts <options as JSON>`. Prints the URL, or the process
 * id of the owner if another one owns it; exits when its standard input closes.
 */
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { type EmbeddedPostgresOptions, start } from "../../../src/database/embedded/EmbeddedPostgres.ts";

const options = JSON.parse(process.argv[2] ?? "") as EmbeddedPostgresOptions;

const untilInputCloses = Effect.promise(
  () => new Promise((resolve) => process.stdin.once("close", resolve).resume())
);

const program = Effect.gen(function* () {
  const line = yield* start(options).pipe(
    Effect.map(({ url }) => Redacted.value(url)),
    Effect.catchTag("DataFolderInUse", ({ ownerPid }) => Effect.succeed(String(ownerPid)))
  );
  process.stdout.write(`${line}\n`);
  yield* untilInputCloses;
});

await Effect.runPromise(Effect.scoped(program));
