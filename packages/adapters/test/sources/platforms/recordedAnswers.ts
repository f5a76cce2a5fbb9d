/**
 * Inspections of the replicas that ask no program: from what yt-dlp and gallery-dl answered once (generated/answers.json). All else is
 * ours, and runs. recorded.test.ts asks the programs, and compares.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import type { EgressProxy, EgressWay, FetchedBody } from "@winnow/isolation/network/Egress";
import { makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { PageUnreadable } from "@winnow/pages/PageUnreadable";
import { readBytes } from "@winnow/pages/ReadBytes";
import * as Effect from "effect/Effect";
import { DEFAULT_LIMITS } from "../../../src/sources/DownloadLimits.ts";
import type { Ffmpeg } from "../../../src/programs/Ffmpeg.ts";
import type { GalleryDl } from "../../../src/sources/gallery-dl/GalleryDl.ts";
import type { InspectorServices } from "../../../src/sources/inspect/InspectionContext.ts";
import { inspectSource } from "../../../src/sources/inspect/SourceInspector.ts";
import type { YtDlp } from "../../../src/sources/yt-dlp/YtDlp.ts";
import { temporaryFolder } from "../harness.ts";
import { platformsOf } from "./openPlatforms.ts";
import { toldBy } from "./Replica.ts";
import { normalised } from "./visits.ts";

export const ANSWERS_FILE = fileURLToPath(new URL("./generated/answers.json", import.meta.url));

export interface Recording {
  /** Of yt-dlp. */
  readonly version: string;
  /** By question. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** What an inspection asks programs. */
export interface Programs {
  readonly inspect: YtDlp["inspect"];
  readonly read: GalleryDl["read"];
  readonly probeUrl: Ffmpeg["probeUrl"];
}

/** A question, and how a program answers it. */
type Each = <A, E>(question: string, asked: Effect.Effect<A, E>) => Effect.Effect<A, E>;

type Question<F extends (...args: never) => unknown> = (...args: Parameters<F>) => string;

const questionOf: { readonly [Name in keyof Programs]: Question<Programs[Name]> } = {
  inspect: (url, items, _place, { allowEmpty = false } = {}) =>
    `${url} ${items}${allowEmpty ? " or none" : ""}`,
  read: (url) => `${url} by gallery-dl`,
  probeUrl: (url) => `${url} by ffprobe`
};

/** Programs whose every question goes through `each`. */
export const asking = (programs: Programs, each: Each): Programs => ({
  inspect: (...asked) => each(questionOf.inspect(...asked), programs.inspect(...asked)),
  read: (...asked) => each(questionOf.read(...asked), programs.read(...asked)),
  probeUrl: (...asked) => each(questionOf.probeUrl(...asked), programs.probeUrl(...asked))
});

const PERMIT = { release: Effect.void, pause: Effect.void, resume: Effect.void, workedMs: Effect.succeed(0) };

const readPage: InspectorServices["pages"]["read"] = Effect.fnUntraced(function* (bytes, source) {
  const outcome = yield* Effect.promise(() => readBytes(bytes, source));
  return "reading" in outcome ? outcome.reading : yield* Effect.fail(new PageUnreadable(outcome.refused));
});

const notAsked = () => Effect.die("An inspection does not ask for this.");

/** Inspects URLs of the replicas, without what only a fetch needs. */
export const inspectorOf = Effect.fnUntraced(function* (
  { inspect, probeUrl, read }: Programs,
  egress: EgressWay
) {
  const services: InspectorServices = {
    egress,
    pages: { read: readPage, draw: notAsked, arrange: notAsked },
    renderer: null,
    limits: DEFAULT_LIMITS,
    ytDlp: { inspect, comments: notAsked, download: notAsked, ready: Effect.void },
    galleryDl: { read },
    ffmpeg: { probeUrl } as Ffmpeg,
    workDir: yield* makeWorkDir(temporaryFolder()),
    cookies: null,
    tesseract: null,
    pictures: {} as InspectorServices["pictures"]
  };
  return (url: string) =>
    Effect.provideService(inspectSource(services, normalised(url), PERMIT), CurrentRun, runFor("acc_test"));
});

const PROXY: EgressProxy = {
  url: "http://127.0.0.1:1",
  denials: Effect.succeed([]),
  unreachableCause: Effect.succeed(null),
  nextConnection: Effect.void,
  exhausted: Effect.succeed(false)
};

/** Pages of the replicas, by no network. */
const replicaEgress = (): EgressWay => {
  const nothing = new Uint8Array();
  const platforms = platformsOf({ video: nothing, silent: nothing, sound: nothing, picture: nothing });
  const answered = (url: string, redirectCount = 0): FetchedBody => {
    const asked = new URL(url);
    const {
      body,
      headers = {},
      status = 200,
      type
    } = toldBy(platforms, { host: asked.host, url: asked, body: "" });
    const { location } = headers;
    return location === undefined
      ? { status, url, headers: { ...headers, "content-type": type }, redirectCount, body: Buffer.from(body) }
      : answered(new URL(location, url).href, redirectCount + 1);
  };
  return { fetch: (url) => Effect.sync(() => answered(url)), openProxy: () => Effect.succeed(PROXY) };
};

export const recording = JSON.parse(readFileSync(ANSWERS_FILE, "utf8")) as Recording;

/** From the recording. */
export const recordedInspector = Effect.suspend(() => {
  const recorded = (question: string): Effect.Effect<any> => {
    const answer = recording.answers[question];
    return answer === undefined ? Effect.die(`${question} is not recorded`) : Effect.succeed(answer);
  };
  const programs = asking({ inspect: notAsked, read: notAsked, probeUrl: notAsked }, recorded);
  return inspectorOf(programs, replicaEgress());
});
