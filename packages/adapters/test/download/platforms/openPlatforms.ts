/** All platforms of the replica over one small video and one picture, closed after the test file. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bluesky } from "./bluesky.ts";
import { startReplica } from "./Replica.ts";
import { tiktok } from "./tiktok.ts";
import { x } from "./x.ts";

export interface Media {
  readonly video: Uint8Array;
  readonly picture: Uint8Array;
}

const makeMedia = (folder: string): Media => {
  const ffmpeg = (options: string) =>
    execFileSync("ffmpeg", `-nostdin -v error -y ${options}`.split(" "), { cwd: folder });
  ffmpeg(
    "-f lavfi -i testsrc2=size=320x180:rate=10:duration=10 -f lavfi -i sine=frequency=440:duration=10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart talk.mp4"
  );
  ffmpeg("-f lavfi -i testsrc2=size=640x360 -frames:v 1 picture.jpg");
  return {
    video: readFileSync(join(folder, "talk.mp4")),
    picture: readFileSync(join(folder, "picture.jpg"))
  };
};

export const openPlatforms = async (folder: string, onEnd: (close: () => Promise<void>) => void) => {
  const media = makeMedia(folder);
  const replica = await startReplica(folder, [x(media), bluesky(media), tiktok(media)]);
  onEnd(replica.close);
  return { downloader: replica.downloader(join(folder, "work")), asked: replica.asked };
};
