/** Winnow embedded in a test: every port in this process, and an account with credits. */
import type { Winnow } from "@winnow/client";
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
  /** Of the account. */
  readonly client: Winnow;
  readonly accountId: string;
  readonly key: string;
}

export const embedded = async (options: WinnowOptions = {}): Promise<Embedded> => {
  const winnow = await createWinnow({ layers: fakes, ...options });
  const { id } = await winnow.admin.accounts.create({ name: "Embedder" });
  await winnow.admin.topUps.create(id, { credits: 10_000 });
  const { key } = await winnow.admin.apiKeys.create(id);
  return { winnow, client: winnow.client(id), accountId: id, key, [Symbol.asyncDispose]: winnow.close };
};
