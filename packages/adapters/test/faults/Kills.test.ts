// @module-tag smoke: a process is killed at each of its steps
/** SIGKILL before every statement and port call of submit, run and settlement; another process takes over. */
import { assert, layer as withLayer } from "@effect/vitest";
import { ATTEMPTS_MAX } from "@winnow/core/domain/result/Settlement";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import { sweepRemovals } from "@winnow/core/engine/extractions/Removal";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import { TestPostgres } from "../database/store/TestPostgres.ts";
import { ARTICLE, BROKEN, SOURCES } from "./crashSources.ts";
import { assertAgreement, carryOn, CREDITS, killEverywhere, STRIDE } from "./killing.ts";
import { layer } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";

/** Price of the article; the run that fails and everything refunded cost nothing. */
const ARTICLE_CREDITS = 50;
/** The scenario has more steps than this; fewer mean that some are not counted. */
const STEPS_MIN = 40;
/** It takes half a minute on an idle machine, longer on a busy one. */
const TEST_MS = 900_000;

const assertServed = Effect.fnUntraced(function* ({ id, result }: Extraction) {
  const artifacts = yield* ArtifactStore;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const size = yield* artifacts.size({ extractionId: id, attempt, name: "transcript.txt" });
    assert.strictEqual(
      Option.isSome(size),
      result?.artifactOwner.extractionId === id && result.artifactOwner.attempt === attempt,
      `files of attempt ${attempt}`
    );
  }
});

const assertEnd = Effect.fnUntraced(function* (accountId: string) {
  yield* assertAgreement(accountId);
  const { account, extractions } = yield* assertLaws(accountId);
  const ends = extractions.map(({ request, status }) => `${request.url} ${status}`).toSorted();
  const fresh = extractions.filter(({ cachedFrom, status }) => status === "complete" && cachedFrom === null);
  assert.deepStrictEqual(ends, [`${ARTICLE} complete`, `${ARTICLE} complete`, `${BROKEN} failed`]);
  assert.strictEqual(account.balance, CREDITS - fresh.length * ARTICLE_CREDITS);
  yield* Effect.forEach(fresh, assertServed);
});

withLayer(TestPostgres.layer, { excludeTestServices: true })("a process that is killed", (it) => {
  it.effect(
    "before any of its statements and calls loses no run, charges none twice and keeps money and state consistent",
    () =>
      Effect.gen(function* () {
        const place = yield* workplace;
        const intactEngine = layer(place, FakeDownloader.layer(SOURCES));
        yield* Effect.gen(function* () {
          const accounts = yield* killEverywhere(place);
          assert.isAbove(accounts.length * STRIDE, STEPS_MIN);
          yield* carryOn(accounts);
          yield* sweepRemovals();
          yield* Effect.forEach(accounts, (accountId, index) =>
            Effect.catchDefect(assertEnd(accountId), (defect) =>
              Effect.die(
                new Error(`Continued after a kill before step ${1 + index * STRIDE}`, { cause: defect })
              )
            )
          );
        }).pipe(Effect.scoped, Effect.provide([intactEngine, Logger.layer([])]));
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
