// @module-tag long
/** A stretch of a remote file over TLS, by the real ffmpeg through the real egress proxy. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, assert, describe, it } from "@effect/vitest";
import { Egress } from "@winnow/isolation/network/Egress";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { makeFfmpeg } from "../../src/programs/Ffmpeg.ts";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { openRunFolder, temporaryFolder } from "../sources/harness.ts";
import { startReplica } from "../sources/platforms/Replica.ts";

const folder = temporaryFolder();
const ffmpeg = (options: string) =>
  execFileSync("ffmpeg", `-nostdin -v error ${options}`.split(" "), { cwd: folder });

ffmpeg("-f lavfi -i testsrc2=size=64x64:rate=10:duration=20 -g 10 -pix_fmt yuv420p talk.mp4");
ffmpeg("-f lavfi -i sine=duration=20 -i talk.mp4 talk.flac -shortest talk.ts");

const replica = await startReplica(folder, [
  ({ url }) => ({ type: "video/mp4", body: readFileSync(join(folder, url.pathname)) })
]);
afterAll(() => replica.close());

const copied = Effect.fnUntraced(
  function* (name: string) {
    const run = yield* openRunFolder(folder);
    const ffmpeg = makeFfmpeg({
      programs: yield* locatePrograms({}),
      limits: DEFAULT_LIMITS,
      sandbox: null,
      proxySocket: null
    });
    const { openProxy } = yield* Egress;
    const proxy = yield* openProxy({ budgetBytes: DEFAULT_LIMITS.maxDownloadBytes });
    const stretch = { url: `https://x.com/${name}`, headers: {}, startSeconds: 8.5, lengthSeconds: 3 };
    const file = yield* ffmpeg.copyStretch(stretch, "talk.mkv", { folder: run, proxyUrl: proxy.url });
    return file === null ? null : yield* ffmpeg.probe(run, file.path);
  },
  Effect.scoped,
  Effect.provide(replica.egress)
);

describe("a stretch of a remote file", () => {
  /** As an operator names authorities beside those of the system. */
  const trusting = (authorities: string | undefined, name = "talk.mp4") =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const before = process.env["SSL_CERT_FILE"];
        process.env["SSL_CERT_FILE"] = authorities ?? "";
        return before;
      }),
      () => copied(name),
      (before) => Effect.sync(() => (process.env["SSL_CERT_FILE"] = before ?? ""))
    );

  it.live("keeps its times, from the key frame before it", () =>
    Effect.gen(function* () {
      const probe = yield* trusting(process.env["REQUESTS_CA_BUNDLE"]);
      assert.isTrue(probe?.hasIndex);
      assert.approximately(probe?.startSeconds ?? 0, 8, 0.2);
      assert.approximately(probe?.durationSeconds ?? 0, 11.5, 0.3);
    })
  );

  it.live(
    "is not looked for in containers that do not tell its place, which would request most of the file",
    () =>
      Effect.gen(function* () {
        for (const name of ["talk.flac", "talk.ts"])
          assert.isNull(yield* trusting(process.env["REQUESTS_CA_BUNDLE"], name), name);
        assert.lengthOf(
          replica.asked.filter((line) => !line.endsWith(".mp4")),
          2
        );
      })
  );

  it.live("is not had from a server whose certificate nobody vouches for", () =>
    Effect.gen(function* () {
      assert.isNull(yield* trusting(undefined));
    })
  );
});
