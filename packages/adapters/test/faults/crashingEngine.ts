/**
 * A process that submits and works, and kills itself before its n-th step: a statement to the database
 * (including BEGIN and COMMIT), or a call of the downloader or the artifact store.
 */
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Worker } from "@winnow/core/engine/runs/Worker";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as FileArtifacts from "../../src/storage/files/FileArtifacts.ts";
import * as S3Artifacts from "../../src/storage/s3/S3Artifacts.ts";
import { BODIES, keyOf, SOURCES } from "./crashSources.ts";
import { beginSteps, step } from "./crashSteps.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";

endWithParent();

const workplace = workplaceOf(process.env);
const accountId = process.env["TEST_ACCOUNT"] ?? "";

const counted = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => step(() => call));

const downloader = Layer.effect(
  Downloader,
  Effect.map(Downloader, (real) => ({
    ...real,
    inspect: (...look: Parameters<typeof real.inspect>) => counted(real.inspect(...look)),
    fetch: (request: Parameters<typeof real.fetch>[0]) => counted(real.fetch(request))
  }))
).pipe(Layer.provide(FakeDownloader.layer(SOURCES)));

const bucketUrl = process.env["TEST_BUCKET"] ?? "";

const storage =
  bucketUrl === ""
    ? FileArtifacts.layer({ directory: workplace.artifactsFolder })
    : S3Artifacts.layer((await import("../storage/s3/S3Server.ts")).optionsOf(bucketUrl));

const artifacts = Layer.effect(
  ArtifactStore,
  Effect.map(ArtifactStore, (real) => ({
    ...real,
    put: (...put: Parameters<typeof real.put>) => counted(real.put(...put)),
    removeAttempt: (...owner: Parameters<typeof real.removeAttempt>) => counted(real.removeAttempt(...owner))
  }))
).pipe(Layer.provide(Layer.orDie(storage)));

const work = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const worker = yield* Worker;
  yield* worker.work(2);
  beginSteps();
  for (const [index, body] of BODIES.entries()) yield* extractions.submit(accountId, body, keyOf(index));
  return yield* Effect.never;
});

await Effect.runPromise(
  Effect.scoped(work).pipe(Effect.provide([layer(workplace, downloader, artifacts), childLogging]))
);
