import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { Failed, type FailureReason } from "../../../src/domain/source/Failed.ts";
import { resultView } from "../../../src/domain/result/ResultView.ts";
import { refuses } from "@winnow/testing/fakes/FakeDownloader";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { openAccount, probe, runToEnd, VIDEO, world } from "../World.ts";

/** Failures of an inspection or fetch, with the status of the probe. */
const STATUSES: Readonly<Partial<Record<FailureReason, 400 | 422 | 502>>> = {
  private: 422,
  removed: 422,
  login_required: 422,
  age_restricted: 422,
  geo_restricted: 422,
  drm: 422,
  live: 400,
  bot_blocked: 502,
  rate_limited: 502,
  too_large: 422,
  timeout: 502,
  unreachable: 502,
  blocked_address: 422,
  not_extractable: 400,
  internal: 502,
  host_not_public: 400
};

const TAGS = { 400: "UnsupportedUrl", 422: "ContentUnavailable", 502: "Unreachable" } as const;

describe("the reason of a failure", () => {
  for (const [reason, status] of Object.entries(STATUSES)) {
    it.effect(`${reason} is the same in a probe's ${status} and in a failed run`, () =>
      Effect.gen(function* () {
        const accountId = yield* openAccount();
        const refusal = yield* Effect.flip(probe(accountId, { url: VIDEO }));
        assert.deepStrictEqual([refusal._tag, refusal.details["reason"]], [TAGS[status], reason]);
      }).pipe(
        Effect.provide(world({ sources: { [VIDEO]: refuses(reason as FailureReason) } })),
        Effect.andThen(
          Effect.gen(function* () {
            const failed = yield* runToEnd(yield* openAccount(), { url: VIDEO });
            assert.deepStrictEqual([failed.status, failed.failure?.reason], ["failed", reason]);
          }).pipe(
            Effect.provide(
              world({
                sources: {
                  [VIDEO]: {
                    facts: sampleFacts(),
                    beforeFetch: Effect.fail(refuses(reason as FailureReason))
                  }
                }
              })
            )
          )
        )
      )
    );
  }

  it.effect("has the time after which a retry can help, if known", () =>
    Effect.gen(function* () {
      const failed = yield* runToEnd(yield* openAccount(), { url: VIDEO });
      const view = resultView(failed, "https://winnow.example");
      assert.deepInclude(view, {
        failure: {
          reason: "bot_blocked",
          retryable: true,
          hint: "Try again in 4 minutes: until then, this server sends no requests to that source."
        }
      });
    }).pipe(
      Effect.provide(
        world({
          sources: {
            [VIDEO]: {
              facts: sampleFacts(),
              beforeFetch: Effect.fail(
                new Failed({ reason: "bot_blocked", message: "A wall.", retryAfterSeconds: 200 })
              )
            }
          }
        })
      )
    )
  );
});
