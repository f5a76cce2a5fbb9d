/**
 * A process that submits and works, and kills itself at its n-th step: a statement to the database (its
 * pool's or pg-boss's, BEGIN and COMMIT too) or a call of the downloader or the artifact store.
 */
import { Socket } from "node:net";
import * as FakeDownloader from "@winnow/core/testing/FakeDownloader";
import { Extractions } from "@winnow/core/engine/Extractions";
import { Runs } from "@winnow/core/engine/Runs";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as FileArtifacts from "../../src/artifacts/files/FileArtifacts.ts";
import { BODIES, keyOf, SOURCES } from "./mortalSources.ts";
import { childLogging, endWithParent, layer, workplaceOf } from "./TestEngine.ts";

endWithParent();

const workplace = workplaceOf(process.env);
const accountId = process.env["TEST_ACCOUNT"] ?? "";
const lastStep = Number(process.env["TEST_LAST_STEP"]);
/** `before` the step does anything, or `after` it was asked for and before its answer. */
const death = process.env["TEST_DEATH"] === "after" ? "after" : "before";

/** Steps so far; those of the start are not counted. */
let steps = Number.NEGATIVE_INFINITY;

const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  for (;;); // the signal is on its way
};

/** Counts a step and dies when it is the last one. */
const step = <A>(act: () => A): A => {
  steps += 1;
  if (steps === lastStep && death === "before") die();
  const done = act();
  return steps === lastStep ? die() : done;
};

/** The last message of a statement in the extended protocol of PostgreSQL. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const isStatement = (data: Buffer): boolean => data[0] === 0x51 || data.subarray(-SYNC.length).equals(SYNC);

// Below both drivers, so that no statement gets past it. Its pipes carry no such messages.
// eslint-disable-next-line typescript/unbound-method
const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, data: Uint8Array | string, ...rest: Array<any>): boolean {
  const send = (): boolean => Reflect.apply(write, this, [data, ...rest]);
  return data instanceof Uint8Array && isStatement(Buffer.from(data.buffer, data.byteOffset, data.length))
    ? step(send)
    : send();
} as typeof write;

const counted = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => step(() => call));

const downloader = Layer.effect(
  Downloader,
  Effect.map(Downloader, (real) => ({
    inspect: (url: string) => counted(real.inspect(url)),
    fetch: (request: Parameters<typeof real.fetch>[0]) => counted(real.fetch(request))
  }))
).pipe(Layer.provide(FakeDownloader.layer(SOURCES)));

const artifacts = Layer.effect(
  ArtifactStore,
  Effect.map(ArtifactStore, (real) => ({
    ...real,
    put: (...put: Parameters<typeof real.put>) => counted(real.put(...put)),
    removeAttempt: (...owner: Parameters<typeof real.removeAttempt>) => counted(real.removeAttempt(...owner))
  }))
).pipe(Layer.provide(FileArtifacts.layer({ directory: workplace.artifactsFolder })));

const live = Effect.gen(function* () {
  const extractions = yield* Extractions;
  const runs = yield* Runs;
  yield* runs.work(2);
  steps = 0;
  for (const [index, body] of BODIES.entries()) yield* extractions.submit(accountId, body, keyOf(index));
  return yield* Effect.never;
});

await Effect.runPromise(
  Effect.scoped(live).pipe(Effect.provide([layer(workplace, downloader, artifacts), childLogging]))
);
