/** Winnow embedded in a test: every port in this process, and an account with credits. */
import { FakeDownloader, FakePorts, sampleFacts } from "@winnow/testing";
import { createWinnow, type EmbeddedWinnow, type WinnowOptions } from "../../src/index.ts";

export const VIDEO = "https://example.com/video";
export const PRIVATE = "https://example.com/private";

export const facts = sampleFacts({ durationSeconds: 213, hasComments: true, webpageUrl: VIDEO });

export const fakes = [
  FakePorts.layer,
  FakeDownloader.layer({ [VIDEO]: { facts }, [PRIVATE]: FakeDownloader.refuses("private") })
];

export interface Embedded extends AsyncDisposable {
  readonly winnow: EmbeddedWinnow;
  readonly accountId: string;
  readonly key: string;
}

export const embedded = async (options: WinnowOptions = {}): Promise<Embedded> => {
  const winnow = await createWinnow({ layers: fakes, ...options });
  const { id } = await winnow.engine.accounts.create({ name: "Embedder" });
  await winnow.engine.accounts.topUp(id, { credits: 10_000 });
  const { key } = await winnow.engine.accounts.createApiKey(id);
  return { winnow, accountId: id, key, [Symbol.asyncDispose]: winnow.close };
};
