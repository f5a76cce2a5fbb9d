/** A worker of the chaos: works until it is killed, on storage that fails now and then. */
import { Runs } from "@winnow/core/engine/Runs";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Unavailable } from "@winnow/core/ports/Unavailable";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as FileArtifacts from "../../src/artifacts/files/FileArtifacts.ts";
import { downloader } from "./chaosSources.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";

endWithParent();

const workplace = workplaceOf(process.env);

const RUNS_AT_ONCE = 2;
/** Of the calls to the storage. */
const FAULTY_SHARE = 0.1;

const away = new Unavailable({
  what: "artifacts",
  reason: "away",
  message: "The storage of the chaos is away.",
  retryAfterSeconds: 1
});

const faulty = <A>(call: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.suspend(() => (Math.random() < FAULTY_SHARE ? Effect.andThen(call, Effect.die(away)) : call));

const artifacts = Layer.effect(
  ArtifactStore,
  Effect.map(ArtifactStore, (real) => ({
    ...real,
    put: (...put: Parameters<typeof real.put>) => faulty(real.put(...put)),
    removeAttempt: (...owner: Parameters<typeof real.removeAttempt>) => faulty(real.removeAttempt(...owner))
  }))
).pipe(Layer.provide(FileArtifacts.layer({ directory: workplace.artifactsFolder })));

const live = Effect.andThen(
  Effect.flatMap(Runs, ({ work }) => work(RUNS_AT_ONCE)),
  Effect.never
);

await Effect.runPromise(
  Effect.scoped(live).pipe(Effect.provide([layer(workplace, downloader, artifacts), childLogging]))
);
