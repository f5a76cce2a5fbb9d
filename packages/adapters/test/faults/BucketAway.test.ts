// @module-tag faults: a bucket is away while processes are killed at each of their steps
/** Files in a bucket that cannot be reached part of the time: none that is served goes, and none that is not stays. */
import { assert, layer as withLayer } from "@effect/vitest";
import { deleteOver, sweepRemovals } from "@winnow/core/engine/extractions/Removal";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import { layer as s3Artifacts } from "../../src/storage/s3/S3Artifacts.ts";
import { type Fault, optionsOf, s3Server } from "../storage/s3/S3Server.ts";
import { SOURCES } from "./crashSources.ts";
import { assertAgreement, carryOn, killEverywhere } from "./killing.ts";
import { layer } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";
import { DAY_MS } from "@winnow/core/domain/Durations";

/** It takes minutes, because runs wait for the bucket. */
const TEST_MS = 1_200_000;

const KILLS_MIN = 60;

/** The bucket is away at other steps the second time. */
const MORE_STRIDE = 4;

/** Of the requests for files, the bucket answers some and then none; one is sent five times before it counts as away. */
const ANSWERED = 5;
const LOST = 8;

const isOfFile = (url: string | undefined): boolean => /\/ext_/u.test(decodeURIComponent(url ?? ""));

/** The path of a file, of which the server has several. */
const FILE = /ext_[^/]+\/\d+\/[^/]+?(?=\._S3rver|$)/u;

const awayAtTimes = () => {
  let asked = 0;
  let lost = 0;
  const fault: Fault = (request) => {
    const isLost = isOfFile(request.url) && asked++ % (ANSWERED + LOST) >= ANSWERED;
    if (isLost) request.socket.destroy();
    lost += Number(isLost);
    return isLost;
  };
  return { fault, lost: () => lost };
};

const away: Fault = (request) => {
  request.socket.destroy();
  return true;
};

/** The sweeper's round of the next day. */
const sweepTomorrow = Effect.flatMap(Clock.Clock, (clock) => {
  const tomorrow: Clock.Clock = Object.assign(Object.create(clock), {
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (nowMs) => nowMs + DAY_MS)
  });
  return Effect.provideService(sweepRemovals(), Clock.Clock, tomorrow);
});

const completeOf = (accounts: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(accounts, (accountId) => assertLaws(accountId)),
    (all) => all.flatMap(({ extractions }) => extractions.filter(({ status }) => status === "complete"))
  );

/** Paths of the files that extractions serve. */
const servedBy = (accounts: ReadonlyArray<string>) =>
  Effect.map(completeOf(accounts), (extractions) => {
    const paths = extractions.flatMap(({ result }) => {
      assert(result !== null);
      const { attempt, extractionId } = result.artifactOwner;
      return result.artifacts.map(({ name }) => `${extractionId}/${attempt}/${name}`);
    });
    return [...new Set(paths)].toSorted();
  });

withLayer(TestPostgres.layer, { excludeTestServices: true })(
  "a bucket that is away part of the time",
  (it) => {
    it.effect(
      "while processes are killed loses no file that is served, and keeps none that is not for a day",
      () =>
        Effect.gen(function* () {
          const server = yield* s3Server;
          const place = { ...(yield* workplace), bucketUrl: server.endpoint };
          const stored = Effect.map(
            Effect.promise(() => server.kept()),
            (paths) => [...new Set(paths.flatMap((path) => FILE.exec(path)?.[0] ?? []))].toSorted()
          );
          yield* Effect.gen(function* () {
            const outage = awayAtTimes();
            server.misbehave(outage.fault);
            const accounts = [
              ...(yield* killEverywhere(place)),
              ...(yield* killEverywhere(place, MORE_STRIDE))
            ];
            assert.isAtLeast(accounts.length, KILLS_MIN);
            yield* carryOn(accounts);
            for (const accountId of accounts) yield* assertAgreement(accountId);
            server.misbehave(away);
            const [deleted] = yield* completeOf(accounts);
            assert(deleted !== undefined);
            assert.isTrue(yield* deleteOver(deleted.accountId, deleted.id));
            server.misbehave(() => false);
            const served = yield* servedBy(accounts);
            assert.includeMembers(yield* stored, served);
            yield* sweepTomorrow;
            assert.deepStrictEqual(yield* stored, served);
            assert.isAbove(outage.lost(), KILLS_MIN);
          }).pipe(
            Effect.scoped,
            Effect.provide([
              layer(
                place,
                FakeDownloader.layer(SOURCES),
                Layer.orDie(s3Artifacts(optionsOf(server.endpoint)))
              ),
              Logger.layer([])
            ])
          );
        }).pipe(Effect.scoped),
      TEST_MS
    );
  }
);
