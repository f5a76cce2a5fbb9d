/** Pages, yt-dlp, gallery-dl and ffmpeg behind the egress guard. Tests: serve.test.ts, sourceRoutes.test.ts. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { findChromium } from "@winnow/adapters/sources/browser/ChromiumProgram";
import * as ChromiumRenderer from "@winnow/adapters/sources/browser/ChromiumRenderer";
import * as DownloaderLayer from "@winnow/adapters/sources/DownloaderLayer";
import { Egress } from "@winnow/isolation/network/Egress";
import { isInstalled } from "@winnow/adapters/runtime/OptionalPackage";
import * as PooledPictures from "@winnow/adapters/programs/images/PooledPictures";
import * as PooledPageReader from "@winnow/adapters/sources/page-reader/PooledPageReader";
import type { ProgramSettings } from "@winnow/adapters/programs/ExternalPrograms";
import { RouteReports } from "@winnow/adapters/sources/ways/RouteReport";
import { watchForUpdates } from "@winnow/adapters/sources/yt-dlp/versions/programUpdates";
import { warnOfRoutes } from "@winnow/adapters/sources/ways/routeProblems";
import type { RouteTable } from "@winnow/adapters/sources/ways/SourceRoute";
import type { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { pasteable } from "../programName.ts";
import type { Settings } from "../settings/Config.ts";
import { SourceRoutes } from "../SourceRoutes.ts";
import { openRoutes } from "./RouteFile.ts";
import { told } from "../settings/SettingRow.ts";
import { notStarted } from "../settings/StartFailed.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";
import { badEgress, egressSettings } from "./network.ts";
import { programSettings } from "./programs.ts";

const egress = (settings: Settings) =>
  GuardedEgress.layer(egressSettings(settings)).pipe(
    Layer.catchTag("InvalidEgressSetting", badEgress<Egress>)
  );

/** Empty if there is no browser: pages are then read as their servers send them. */
const renderer = (settings: Settings, workDir: string) => {
  const program = isInstalled("playwright-core") ? findChromium(settings.chromium) : null;
  return program === null
    ? Layer.empty
    : ChromiumRenderer.layer({ program, workDir, sandbox: settings.sandbox });
};

/** With the reports of its routes where the operator's endpoints look for them. */
const tellingOfRoutes = <E, R>(layer: Layer.Layer<Downloader, E, R>) =>
  Layer.effect(
    SourceRoutes,
    Effect.map(Effect.service(RouteReports), (report) => ({ report }))
  ).pipe(Layer.provideMerge(layer));

const mediaDownloader = (
  settings: Settings,
  workDir: string,
  { programs, routes }: { readonly programs: ProgramSettings; readonly routes: RouteTable }
) =>
  tellingOfRoutes(
    DownloaderLayer.layer({
      workDir,
      programs,
      ytDlpArgs: settings.ytdlpArgs,
      routes,
      sandbox: settings.sandbox,
      ...(settings.ytdlp === null ? { dataDir: settings.dataDir } : {}),
      limits: {
        maxDownloadBytes: settings.maxDownloadBytes,
        fetchTimeoutMs: settings.runTimeoutSeconds * 1_000,
        commentsMax: settings.maxComments
      }
    })
  );

const watchUpdates = ({ dataDir, programUpdates, ytdlp }: Settings, programs: ProgramSettings) =>
  ytdlp !== null || programUpdates === "off"
    ? Effect.void
    : watchForUpdates(dataDir, programUpdates, programs);

export const downloader = (settings: Settings, workDir: string) =>
  Layer.unwrap(
    Effect.map(Effect.all({ programs: programSettings(settings), routes: openRoutes(settings) }), (found) =>
      Layer.merge(
        mediaDownloader(settings, workDir, found),
        Layer.effectDiscard(
          Effect.all([
            Effect.forkScoped(warnOfRoutes(found.routes)),
            Effect.forkScoped(watchUpdates(settings, found.programs))
          ])
        )
      )
    )
  ).pipe(
    Layer.catchTag("ProgramsMissing", ({ message }) =>
      notStarted<Downloader>(told`${pasteable(message, settings.dataDir)}`)
    ),
    Layer.catchTag("YtDlpArgsRefused", ({ message }) =>
      notStarted<Downloader>(told`${SETTINGS.ytdlpArgs}: ${message}`)
    ),
    Layer.provide(renderer(settings, workDir)),
    Layer.provide([
      PooledPageReader.layerWith({ sandbox: settings.sandbox }),
      PooledPictures.layerWith({ sandbox: settings.sandbox })
    ]),
    Layer.catchTag("SandboxMissing", ({ message }) =>
      notStarted<Downloader>(told`${SETTINGS.sandbox}: ${message}`)
    ),
    Layer.provide(egress(settings))
  );
