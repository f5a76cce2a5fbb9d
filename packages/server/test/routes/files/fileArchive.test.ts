import { assert, it } from "@effect/vitest";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { archiveOf } from "../../../src/routes/files/fileArchive.ts";

const owner = { extractionId: "ext_1", attempt: 1 };
const artifacts = ["video.mp4", "transcript.txt"].map((name) => ({
  name,
  contentType: "text/plain",
  sizeBytes: 2_000_000
}));
const files = { extractionId: "ext_1", artifacts, owner, finishedAtMs: 0 };

it("an archive opens one file after the other, and closes it if its reader leaves", async () => {
  const seen: Array<string> = [];
  const store = {
    read: ({ name }: { readonly name: string }) =>
      Stream.suspend(() => {
        seen.push(`opened ${name}`);
        return Stream.forever(Stream.succeed(new Uint8Array(1_000)));
      }).pipe(Stream.ensuring(Effect.sync(() => void seen.push(`closed ${name}`))))
  } as unknown as typeof ArtifactStore.Service;
  const reader = archiveOf(store, files).open().getReader();
  for (let read = 0; read < 5; read += 1) await reader.read();
  assert.deepStrictEqual(seen, ["opened video.mp4"]);
  await reader.cancel().catch(() => undefined);
  assert.deepStrictEqual(seen, ["opened video.mp4", "closed video.mp4"]);
});
