/**
 * How embedding programs are tested: the whole service in this process, without network, programs or waiting.
 */
import { FakeAnalyst, FakeDownloader, FakePorts, sampleFacts, VirtualClock } from "@winnow/testing";
import { createWinnow } from "@winnow/server";
import * as Effect from "effect/Effect";
import { assert, it } from "vitest";

const TALK = "https://video.example/watch/talk";
const SLOW = "https://video.example/watch/slow";

it("a run is quoted, debited, read by a model and partly refunded", async () => {
  const winnow = await createWinnow({
    layers: [
      FakePorts.layer,
      FakeDownloader.layer({ [TALK]: { facts: sampleFacts({ durationSeconds: 213 }) } }),
      FakeAnalyst.layer(() =>
        Effect.succeed({ outcome: "ok", verdictReason: null, extraction: { topic: "sieves" } })
      )
    ]
  });
  const { id: account } = await winnow.admin.accounts.create({ name: "Tester" });
  await winnow.admin.topUps.create(account, { credits: 1_000 });
  const client = winnow.client(account);
  const schema = { type: "object", properties: { topic: { type: "string" } } };
  const { id, creditsDebited } = await client.submit({ url: TALK, schema });
  assert.strictEqual(creditsDebited, 187);
  const result = await client.extractions.wait(id);
  assert.deepInclude(result, { status: "complete", outcome: "ok" });
  await winnow.close();
});

it("a run that takes too long fails with its reason and a full refund", async () => {
  const clock = new VirtualClock();
  const stuck = { facts: sampleFacts(), beforeFetch: Effect.sleep("2 days") };
  const winnow = await createWinnow({
    runTimeoutSeconds: 600,
    layers: [FakePorts.layer, FakeDownloader.layer({ [SLOW]: stuck }), clock.layer]
  });
  const { id: account } = await winnow.admin.accounts.create({ name: "Tester" });
  await winnow.admin.topUps.create(account, { credits: 1_000 });
  const client = winnow.client(account);
  const { id, creditsDebited } = await client.submit({ url: SLOW });
  const begun = Promise.withResolvers<void>();
  const ended = client.extractions.wait(id, {
    onProgress: ({ step }) => step === "fetching" && begun.resolve()
  });
  await begun.promise;
  await clock.advance(10 * 60_000);
  assert.deepInclude(await ended, { status: "failed" });
  const { creditsRefunded } = await client.extractions.get(id);
  assert.strictEqual(creditsRefunded, creditsDebited);
  await winnow.close();
});
