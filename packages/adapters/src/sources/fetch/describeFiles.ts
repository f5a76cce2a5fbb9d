/** What a fetch put into its folder, as the port tells it. Tests: outcomes/videos.test.ts, rogueRunFolder.test.ts. */
import { join } from "node:path";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { contentTypeOf } from "@winnow/core/domain/result/ArtifactName";
import { type FetchedFile, textFile } from "@winnow/core/ports/Downloader";
import { keptSize } from "@winnow/isolation/process/RunFiles";
import type { RunFolder } from "@winnow/isolation/process/RunFolder";
import * as Effect from "effect/Effect";
import { failed } from "../failures/classify.ts";
import type { Part } from "./FetchContext.ts";

/** The files with their sizes: a program that reported success may still have written nothing. */
export const describeFiles = (
  { path: folder }: RunFolder,
  { files, texts }: Part
): Effect.Effect<ReadonlyArray<FetchedFile>, Failed> =>
  Effect.forEach(
    files,
    Effect.fnUntraced(function* (name) {
      const text = texts.get(name);
      if (text !== undefined) return textFile(name, text);
      const path = join(folder, name);
      const sizeBytes = yield* keptSize(path);
      if (sizeBytes === null || sizeBytes === 0)
        return yield* failed("internal", "A fetched file is missing.");
      const file: FetchedFile = {
        name,
        contentType: contentTypeOf(name),
        sizeBytes,
        source: { _tag: "LocalFile", path }
      };
      return file;
    }),
    { concurrency: 8 }
  );
