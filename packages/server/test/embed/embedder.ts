/** A program that embeds Winnow with custom ports; prints which packages and adapters were loaded. */
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(url);
    return next(url, context);
  }
});
const { FakeDownloader, FakePorts, sampleFacts } = await import("@winnow/testing");
const { createWinnow } = await import("../../src/index.ts");
const url = "https://example.com/video";
const winnow = await createWinnow({
  layers: [FakePorts.layer, FakeDownloader.layer({ [url]: { facts: sampleFacts() } })]
});
const { id } = await winnow.admin.accounts.create({ name: "Embedder" });
await winnow.admin.topUps.create(id, { credits: 1_000 });
const { status } = await winnow.client(id).extract({ url });
await winnow.close();
process.stdout.write(JSON.stringify({ status, loaded: [...loaded] }));
