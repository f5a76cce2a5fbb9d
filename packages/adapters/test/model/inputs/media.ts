/** Small media files, made by ffmpeg: scenes of one colour each, and a tone. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FetchedFile } from "@winnow/core/ports/Downloader";
import { contentTypeOf } from "@winnow/core/domain/result/ArtifactName";

const run = promisify(execFile);

export { temporaryFolder } from "@winnow/isolation/test/temporaryFolder";

export const ffmpeg = (folder: string, ...args: ReadonlyArray<string>) =>
  run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });

export const COLOURS = ["red", "green", "blue", "yellow", "purple", "white"] as const;

/** All colours have the same duration; `options` are those of the encoder. */
export const makeVideo = async (
  folder: string,
  name: string,
  { sceneSeconds, options, size = "640x360" }: { sceneSeconds: number; options: string; size?: string }
): Promise<FetchedFile> => {
  const sources = COLOURS.flatMap((colour) => [
    "-f",
    "lavfi",
    "-i",
    `color=${colour}:size=${size}:rate=10:duration=${sceneSeconds}`
  ]);
  const total = sceneSeconds * COLOURS.length;
  const sound = `-f lavfi -i sine=frequency=440:duration=${total}`;
  const joined = `-filter_complex concat=n=${COLOURS.length}:v=1:a=0[v] -map [v] -map ${COLOURS.length}:a`;
  await ffmpeg(folder, ...sources, ...`${sound} ${joined} ${options} ${name}`.split(" "));
  return fileOf(folder, name);
};

/** Uncompressed: half an hour of it is created almost instantly. */
export const makeTone = async (folder: string, name: string, seconds: number): Promise<FetchedFile> => {
  await ffmpeg(
    folder,
    ...`-f lavfi -i sine=frequency=440:sample_rate=16000:duration=${seconds} -c:a pcm_s16le -f wav`.split(
      " "
    ),
    name
  );
  return fileOf(folder, name);
};

export const makePicture = async (folder: string, name: string, size: string): Promise<FetchedFile> => {
  await ffmpeg(folder, ...`-f lavfi -i testsrc2=size=${size} -frames:v 1`.split(" "), name);
  return fileOf(folder, name);
};

export const fileOf = (folder: string, name: string): FetchedFile => ({
  name,
  contentType: contentTypeOf(name),
  sizeBytes: statSync(join(folder, name)).size,
  source: { _tag: "LocalFile", path: join(folder, name) }
});
