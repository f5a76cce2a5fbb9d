import { assert, describe, it } from "@effect/vitest";
import { BUCKET, CREDENTIALS, s3Server } from "@winnow/adapters/test/storage/s3/S3Server";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as Result from "effect/Result";
import * as TestClock from "effect/testing/TestClock";
import { artifacts, awaitArtifacts, pingArtifacts } from "../../src/adapters/artifacts.ts";
import { readSettings } from "../../src/settings/Config.ts";

/** A server's settings, with this bucket. */
const settingsOf = (endpoint: string, secret = Redacted.value(CREDENTIALS.secretAccessKey)) =>
  Result.getOrThrow(
    readSettings({
      WINNOW_ARTIFACTS_URL: `s3://${BUCKET}/some/prefix?endpoint=${endpoint}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: Redacted.value(CREDENTIALS.accessKeyId),
      AWS_SECRET_ACCESS_KEY: secret
    })
  );

const AWAY = "http://127.0.0.1:1";

const startOf = (settings: ReturnType<typeof settingsOf>) => Effect.scoped(Layer.build(artifacts(settings)));

describe("a bucket", () => {
  it.live("is used with the address and the key of the settings", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server;
      yield* awaitArtifacts(settingsOf(endpoint));
      assert.strictEqual(yield* pingArtifacts(settingsOf(endpoint)), `bucket ${BUCKET}`);
    }).pipe(Effect.scoped)
  );

  it.live("that refuses the key ends the start at once, which names setting and variable", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* s3Server;
      const settings = settingsOf(endpoint, "hunter2");
      yield* awaitArtifacts(settings);
      const { message, isAway } = yield* Effect.flip(startOf(settings));
      assert.match(message, /^WINNOW_ARTIFACTS_URL: .* refused the credentials .*AWS_SECRET_ACCESS_KEY/u);
      assert.notInclude(message, "hunter2");
      assert.isFalse(isAway);
    }).pipe(Effect.scoped)
  );

  it.effect("that is away is waited for", () =>
    Effect.gen(function* () {
      // Each request is repeated after pauses.
      yield* Effect.forkChild(Effect.forever(TestClock.adjust("100 millis")));
      const line = yield* Deferred.make<string>();
      const logger = Logger.make(({ message }) => Deferred.doneUnsafe(line, Effect.succeed(String(message))));
      const waiting = yield* Effect.forkChild(
        Effect.provide(awaitArtifacts(settingsOf(AWAY)), Logger.layer([logger]))
      );
      assert.match(
        yield* Deferred.await(line),
        /^WINNOW_ARTIFACTS_URL: .* Waiting until it is available\.$/u
      );
      yield* Fiber.interrupt(waiting);
      assert.isTrue((yield* Effect.flip(startOf(settingsOf(AWAY)))).isAway);
    })
  );
});
