/**
 * The Downloader out of what all runs share: the programs and the operator's options for them, checked at the start of the
 * server, the sandbox, the versions of yt-dlp, and the readers. Tests: YtDlpFlags.test.ts, RunningVersions.test.ts.
 */
import { resolve } from "node:path";
import * as Clock from "effect/Clock";
import type * as Context from "effect/Context";
import type { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { Egress } from "@winnow/isolation/network/Egress";
import { authorityFiles } from "@winnow/isolation/process/ProgramEnvironment";
import { makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { programFiles, userPackages } from "@winnow/isolation/sandbox/programFiles";
import {
  type Confinement,
  openSandbox,
  type SandboxMissing,
  type SandboxSetting
} from "@winnow/isolation/sandbox/Sandbox";
import {
  locatePrograms,
  pythonOf,
  updateCommand,
  type ProgramSettings,
  ProgramsMissing
} from "../programs/ExternalPrograms.ts";
import { makeFfmpeg } from "../programs/Ffmpeg.ts";
import { Pictures } from "../programs/images/Pictures.ts";
import type { YtDlpProgram } from "../programs/python/VersionState.ts";
import { makeTesseract } from "../programs/Tesseract.ts";
import { PageRenderer } from "./browser/PageRenderer.ts";
import { DEFAULT_LIMITS, type DownloadLimits } from "./DownloadLimits.ts";
import { makeGalleryDl } from "./gallery-dl/GalleryDl.ts";
import type { SharedServices } from "./inspect/RoutedServices.ts";
import { makeDownloader } from "./MediaDownloader.ts";
import { PageReader } from "./page-reader/PageReader.ts";
import { fixedRoutes, plainRoute, type RouteTable } from "./ways/SourceRoute.ts";
import { makeWays } from "./ways/Ways.ts";
import { makeYtDlp } from "./yt-dlp/YtDlp.ts";
import { checkYtDlpArgs, pathsIn, withAbsolutePaths, YtDlpArgsRefused } from "./yt-dlp/YtDlpArgs.ts";
import {
  ageProblem,
  missingSince,
  programOnPath,
  readYtDlpVersion,
  supportProblem
} from "./yt-dlp/YtDlpVersion.ts";
import { makeRunningVersions } from "./yt-dlp/versions/RunningVersions.ts";

export interface DownloaderOptions {
  /** Parent of all runs' working folders; created if missing. */
  readonly workDir: string;
  readonly programs?: ProgramSettings;
  /** The operator's extra options as separate arguments (YtDlpArgs). */
  readonly ytDlpArgs?: ReadonlyArray<string>;
  /**
   * The ways to sources. Cookies are for the downloaders only, and never logged or stored in an artifact. Default: the
   * guard's own way, without cookies.
   */
  readonly routes?: RouteTable;
  readonly limits?: Partial<DownloadLimits>;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
  /** False runs yt-dlp as a command; default: if the fork server cannot run it. */
  readonly forkServer?: boolean;
  /** With versions of yt-dlp side by side; absent: the one of `programs`. */
  readonly dataDir?: string;
}

/** Checks that this yt-dlp knows the operator's options; otherwise every run would fail. */
const refuseTooNew = (args: ReadonlyArray<string>, version: string | null) =>
  Effect.forEach(
    args,
    (option) => {
      const since = missingSince(option, version);
      const message = `The yt-dlp option ${option} needs yt-dlp ${since} or newer.`;
      return since === null ? Effect.void : Effect.fail(new YtDlpArgsRefused({ option, message }));
    },
    { discard: true }
  );

const refuseTooOld = (version: string | null) => {
  const problem = supportProblem(version);
  const message = `yt-dlp ${problem}. Install a newer one with: ${updateCommand()}`;
  return problem === null ? Effect.void : new ProgramsMissing({ missing: ["yt-dlp"], message });
};

const warnOfAge = Effect.fnUntraced(function* (version: string | null, dataDir: string | undefined) {
  const problem = version === null ? null : ageProblem(version, yield* Clock.currentTimeMillis);
  if (problem === null) return;
  yield* Effect.logWarning(`yt-dlp is ${problem}. Get a new one with: ${updateCommand(dataDir)}`).pipe(
    Effect.annotateLogs({ version })
  );
});

const makeServices = Effect.fnUntraced(function* (
  options: DownloaderOptions,
  egress: Context.Service.Shape<typeof Egress>
) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const programs = yield* locatePrograms(options.programs ?? {});
  const checked = yield* Effect.fromResult(checkYtDlpArgs(options.ytDlpArgs ?? []));
  const extraArgs = withAbsolutePaths(checked, process.cwd());
  const workDir = yield* makeWorkDir(resolve(options.workDir));
  const version = yield* readYtDlpVersion(programs);
  yield* refuseTooOld(version);
  yield* refuseTooNew(checked, version);
  yield* warnOfAge(version, options.dataDir);
  const sandbox = yield* openSandbox(options.sandbox ?? "auto");
  const proxySocket = sandbox === null ? null : yield* egress.proxySocket;
  const readable = [...pathsIn(extraArgs), ...userPackages(), ...Object.values(authorityFiles())];
  const confinedTo = (program: string): Confinement | null =>
    sandbox === null ? null : { sandbox, proxySocket, readable: [...programFiles(program), ...readable] };
  const makeOne = ({ version, ytDlp: path }: YtDlpProgram) =>
    makeYtDlp({
      programs: { ...programs, ytDlp: path, ytDlpPython: pythonOf(path, programs.path) },
      version,
      extraArgs,
      workDir,
      limits,
      confinedTo,
      forkServer: options.forkServer ?? true
    });
  const { dataDir = null } = options;
  const versions = yield* makeRunningVersions({
    dataDir,
    onPath: dataDir === null ? null : yield* programOnPath(options.programs ?? {}),
    first: { version, ytDlp: programs.ytDlp },
    make: makeOne
  });
  const services: SharedServices = {
    pages: yield* PageReader,
    renderer: Option.getOrNull(yield* Effect.serviceOption(PageRenderer)),
    ffmpeg: makeFfmpeg({ programs, limits, sandbox, proxySocket }),
    galleryDl:
      programs.galleryDl === null
        ? null
        : makeGalleryDl(programs.galleryDl, {
            programs,
            limits,
            confinement: confinedTo(programs.galleryDl)
          }),
    tesseract:
      programs.tesseract === null
        ? null
        : yield* makeTesseract({ program: programs.tesseract, path: programs.path, sandbox }, workDir),
    workDir,
    limits,
    pictures: yield* Pictures,
    countInspection: versions.countInspection
  };
  return { services, versions };
});

/**
 * Renders script-driven pages if there is a PageRenderer in the context.
 *
 * Fails if a program is missing or an extra option is not allowed: the server must not start then.
 */
export const layer = (
  options: DownloaderOptions
): Layer.Layer<
  Downloader,
  ProgramsMissing | YtDlpArgsRefused | SandboxMissing,
  Egress | PageReader | Pictures
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const egress = yield* Egress;
      const { services, versions } = yield* makeServices(options, egress);
      const ways = makeWays(options.routes ?? fixedRoutes(plainRoute()), { egress, versions });
      return yield* makeDownloader(services, versions, ways);
    })
  );
