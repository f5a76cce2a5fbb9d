/** A process that fetches a video that never ends, until it is killed. Arguments: site, work folder. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as DownloaderLayer from "../../../src/sources/DownloaderLayer.ts";
import * as PooledPictures from "../../../src/programs/images/PooledPictures.ts";
import * as PooledPageReader from "../../../src/sources/page-reader/PooledPageReader.ts";

const [siteUrl = "", workDir = ""] = process.argv.slice(2);

await Effect.runPromise(
  Downloader.use((downloader) =>
    Effect.scoped(
      downloader.fetch({
        url: `${siteUrl}/slow.mp4`,
        maxDurationSeconds: 3_600,
        wantsOf: () => ["video"]
      })
    )
  ).pipe(
    Effect.provide(
      DownloaderLayer.layer({ workDir }).pipe(
        Layer.provide([
          GuardedEgress.layer({ allow: [new URL(siteUrl).host] }),
          PooledPageReader.layer,
          PooledPictures.layer
        ]),
        inRun
      )
    )
  )
);
