/**
 * The second inspection of a page whose server sends an empty shell: in a browser, if there is one. Without one, or if it
 * fails, the page is used as sent, with a warning. Tests: rendered.test.ts.
 */
import * as Effect from "effect/Effect";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import { failOnTimeout, type InspectionPermit } from "./InspectionCache.ts";
import { inspectPage, type PageInspection, type PageServices } from "./PageInspection.ts";
import { pageSource } from "./pageSource.ts";

const NO_BROWSER =
  "This page is rendered by scripts, and this server has no browser: only the HTML that the site sends was read.";

const NOT_RENDERED =
  "This page is rendered by scripts, and rendering it failed: only the HTML that the site sends was read.";

const UNSETTLED = "The page was still loading when it was read; some of it may be missing.";

const HTML_TYPE = "text/html; charset=utf-8";

type ReadInspection = Extract<PageInspection, { readonly _tag: "Read" }>;

interface RenderingServices extends Pick<PageServices, "egress" | "pages" | "renderer"> {
  readonly permit: InspectionPermit;
}

/** While waiting for the browser, the permit is released and the time limit is paused. */
const renderedInspection = Effect.fnUntraced(
  function* (
    sent: ReadInspection,
    {
      egress,
      pages,
      renderer,
      permit
    }: RenderingServices & { readonly renderer: NonNullable<RenderingServices["renderer"]> }
  ) {
    yield* permit.release;
    yield* permit.pause;
    const document = yield* renderer.render(sent.url, {
      egress,
      onTurn: permit.resume
    });
    const bytes = new TextEncoder().encode(document.html);
    const page = yield* pages.read(bytes, { url: document.url, contentType: HTML_TYPE });
    if (page.text.plain.length < sent.page.text.plain.length && !page.loginWall) {
      return { ...sent, warnings: [NOT_RENDERED] };
    }
    const inspection: ReadInspection = { _tag: "Read", url: document.url, page };
    return document.settled ? inspection : { ...inspection, warnings: [UNSETTLED] };
  },
  (inspection, sent, { permit }) =>
    inspection.pipe(
      Effect.ensuring(permit.resume),
      Effect.catch(({ reason }) =>
        Effect.logInfo("A page was not rendered").pipe(
          Effect.annotateLogs({ reason }),
          Effect.as<ReadInspection>({ ...sent, warnings: [NOT_RENDERED] })
        )
      )
    )
);

/** A post's pictures, or a login wall, are conclusive without rendering. */
const wantsBrowser = ({ kind, loginWall, media, needsBrowser }: PageReading): boolean =>
  needsBrowser && !loginWall && !(kind === "photos" && media.images.length > 0);

export const rendered = (
  inspection: PageInspection,
  { egress, pages, renderer, permit }: RenderingServices
): Effect.Effect<PageInspection> => {
  if (inspection._tag !== "Read" || !wantsBrowser(inspection.page)) return Effect.succeed(inspection);
  return renderer === null
    ? Effect.succeed({ ...inspection, warnings: [NO_BROWSER] })
    : renderedInspection(inspection, { egress, pages, renderer, permit });
};

/**
 * The current article, read without yt-dlp: asking it again costs more than the rest of a small run. Null if the page
 * is no article any more and needs a full inspection.
 */
export const inspectKnownPage = Effect.fnUntraced(function* (
  services: PageServices,
  url: string,
  permit: InspectionPermit
) {
  const found = yield* inspectPage(url, services).pipe(
    Effect.flatMap((page) => rendered(page, { ...services, permit })),
    Effect.flatMap((page) => pageSource(url, page, "no_media")),
    Effect.raceFirst(failOnTimeout(permit, { timeoutMs: services.limits.inspectTimeoutMs })),
    Effect.orElseSucceed(() => null)
  );
  return found?.source._tag === "Webpage" && found.source.page.kind === "webpage" ? found : null;
});
