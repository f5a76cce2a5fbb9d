/** All platforms of the replica with one small video and one picture, closed after the test file. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DownloadLimits } from "../../../src/sources/DownloadLimits.ts";
import { bandcamp } from "./bandcamp.ts";
import { bilibili } from "./bilibili.ts";
import { bluesky } from "./bluesky.ts";
import { facebook } from "./facebook.ts";
import { instagram } from "./instagram.ts";
import { reddit } from "./reddit.ts";
import { type Platform, type Replica, startReplica } from "./Replica.ts";
import { soundcloud } from "./soundcloud.ts";
import { tiktok } from "./tiktok.ts";
import { vimeo } from "./vimeo.ts";
import { x } from "./x.ts";
import { youtube } from "./youtube.ts";

export interface Media {
  readonly video: Uint8Array;
  /** The separate tracks of the video, as in adaptive streams. */
  readonly silent: Uint8Array;
  readonly sound: Uint8Array;
  readonly picture: Uint8Array;
}

const makeMedia = (folder: string): Media => {
  const ffmpeg = (options: string) =>
    execFileSync("ffmpeg", `-nostdin -v error -y ${options}`.split(" "), { cwd: folder });
  ffmpeg(
    "-f lavfi -i testsrc2=size=320x180:rate=10:duration=10 -f lavfi -i sine=frequency=440:duration=10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart talk.mp4"
  );
  ffmpeg("-i talk.mp4 -c copy -an silent.mp4 -c copy -vn sound.mp4");
  ffmpeg("-f lavfi -i testsrc2=size=640x360 -frames:v 1 picture.jpg");
  const read = (name: string) => readFileSync(join(folder, name));
  return {
    video: read("talk.mp4"),
    silent: read("silent.mp4"),
    sound: read("sound.mp4"),
    picture: read("picture.jpg")
  };
};

/** Encoded once for all replicas of a process. */
let media: Media | undefined;

interface Opening {
  readonly limits?: Partial<DownloadLimits>;
}

/** Ends a test file in which a program asked for what no replica has: an extractor has changed. */
const closeAnswered = async ({ close, unanswered }: Replica): Promise<void> => {
  await close();
  if (unanswered.length > 0) throw new Error(`No replica answers ${[...new Set(unanswered)].join(", ")}`);
};

export const platformsOf = (media: Media): ReadonlyArray<Platform> =>
  [x, bluesky, tiktok, reddit, vimeo, bilibili, youtube, instagram, facebook, bandcamp, soundcloud].map(
    (platform) => platform(media)
  );

export const openPlatforms = async (
  folder: string,
  onEnd: (close: () => Promise<void>) => void,
  { limits = {} }: Opening = {}
) => {
  const replica = await startReplica(folder, platformsOf((media ??= makeMedia(folder))));
  onEnd(() => closeAnswered(replica));
  return {
    downloader: replica.downloader({ workDir: join(folder, "work"), limits }),
    asked: replica.asked,
    egress: replica.egress
  };
};
