/**
 * Warm inspections and a download-only run in the sandbox and without it, alternating in one run.
 * Budget: 1.05x. Run: `node packages/adapters/bench/sandbox.ts [rounds]`.
 */
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { SandboxSetting } from "../src/programs/sandbox/Sandbox.ts";
import { startSite } from "../test/sources/site/Site.ts";
import { benchFolder, downloaderOf, fetchAll } from "./downloads.ts";
import { median, timed } from "./timing.ts";

const ROUNDS = Number(process.argv[2] ?? 9);

const LOOKS = ["/watch/jsonld", "/watch/hls", "/fx/video", "/article", "/media/talk.mp4"] as const;

interface Taken {
  readonly median: number;
  readonly best: number;
}

const program = Effect.gen(function* () {
  const site = yield* startSite;
  const folder = yield* benchFolder;
  const plugins = new URL("../test/sources/site/ytdlp-plugins", import.meta.url).pathname;
  const downloader = (sandbox: SandboxSetting) =>
    Effect.map(
      Layer.build(
        Layer.fresh(
          downloaderOf(site.url, `${folder}/${sandbox}`, { sandbox, ytDlpArgs: ["--plugin-dirs", plugins] })
        )
      ),
      (built) => Context.get(built, Downloader)
    );
  const [confined, plain] = [yield* downloader("required"), yield* downloader("off")];
  const compare = Effect.fnUntraced(function* (
    what: string,
    work: (url: string) => Effect.Effect<unknown, unknown, Downloader>
  ) {
    const times = new Map<unknown, Array<number>>([
      [confined, []],
      [plain, []]
    ]);
    for (let round = -1; round < ROUNDS; round++) {
      // The order alternates, because the second finds the site's files cached.
      const order = round % 2 === 0 ? [confined, plain] : [plain, confined];
      for (const each of order) {
        const ms = yield* timed(Effect.provideService(work(`?${round}`), Downloader, each));
        if (round >= 0) times.get(each)?.push(ms);
      }
    }
    const [ours, theirs] = [confined, plain].map((each) => {
      const taken = times.get(each) ?? [];
      return { median: median(taken), best: Math.min(...taken) };
    }) as [Taken, Taken];
    console.log(
      JSON.stringify({
        bench: "sandbox",
        what,
        confinedMs: Math.round(ours.median),
        plainMs: Math.round(theirs.median),
        ratio: Number((ours.median / theirs.median).toFixed(3)),
        // A busy machine only adds time, so the best of each shows the cost of the work itself.
        bestRatio: Number((ours.best / theirs.best).toFixed(3)),
        budget: 1.05
      })
    );
  });
  for (const path of LOOKS) {
    yield* compare(`look ${path}`, (query) =>
      Downloader.use(({ inspect }) => inspect(`${site.url}${path}${query}`, { accountId: "acc_test" }))
    );
  }
  yield* compare("run /watch/hls", (query) => fetchAll(`${site.url}/watch/hls${query}`));
});

await Effect.runPromise(Effect.scoped(program));
