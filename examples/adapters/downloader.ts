/** A custom Downloader: https://archive.example/NAME is a text file in a folder. It opens no connections. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { TRANSCRIPT_FILE as name, contentTypeOf } from "@winnow/core/domain/result/ArtifactName";
import { Failed, type PromiseDownloader } from "@winnow/server";

/** Null for what the source does not state. */
const UNTOLD = { uploader: null, description: null, thumbnailUrl: null, durationSeconds: null };
const UNCOUNTED = { viewCount: null, likeCount: null, commentCount: null, uploadDate: null };

export const downloader = (folder: string): PromiseDownloader => {
  const look = async (url: string) => {
    const file = path.join(folder, `${path.basename(new URL(url).pathname)}.txt`);
    const bytes = await readFile(file).catch(() => {
      throw new Failed({ reason: "removed", message: "The archive has no such text." });
    });
    const title = bytes.toString().split("\n", 1)[0] ?? null;
    const has = { ...UNTOLD, ...UNCOUNTED, hasSubtitles: false, hasComments: false, imageCount: 0 };
    return { bytes, facts: { kind: "webpage" as const, webpageUrl: url, title, ...has } };
  };
  return {
    inspect: async (url) => (await look(url)).facts,
    fetch: async ({ url }) => {
      const { bytes, facts } = await look(url);
      const source = { _tag: "Bytes", bytes } as const;
      const files = [{ name, contentType: contentTypeOf(name), sizeBytes: bytes.length, source }];
      return { facts, files, measuredDurationSeconds: null, warnings: [] };
    }
  };
};
