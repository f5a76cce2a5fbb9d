/**
 * The second look at a page whose server sends an empty shell: in a browser, where there is one. Without, or
 * where that fails, the page stays as it was sent, and says so.
 */
import * as Effect from "effect/Effect";
import type { InspectionTurn } from "./InspectionTurn.ts";
import type { PageInspection, PageServices } from "./PageInspection.ts";

const NO_BROWSER =
  "Scripts make the content of this page, and this server has no browser to run them: only what the page's own server sends was read.";

const NOT_RENDERED =
  "Scripts make the content of this page, and running them failed here: only what the page's own server sends was read.";

const UNSETTLED = "The page was still loading when it was read; some of it may be missing.";

const HTML_TYPE = "text/html; charset=utf-8";

type ReadInspection = Extract<PageInspection, { readonly _tag: "Read" }>;

interface RenderingServices extends Pick<PageServices, "pages" | "renderer"> {
  readonly turn: InspectionTurn;
}

/** What waits for the browser holds nothing that others wait for, and its time does not run. */
const renderedInspection = Effect.fnUntraced(
  function* (
    sent: ReadInspection,
    {
      pages,
      renderer,
      turn
    }: RenderingServices & { readonly renderer: NonNullable<RenderingServices["renderer"]> }
  ) {
    yield* turn.giveBack;
    yield* turn.pause;
    const document = yield* renderer.render(sent.url, { accountId: turn.accountId, onTurn: turn.resume });
    const bytes = new TextEncoder().encode(document.html);
    const page = yield* pages.read(bytes, { url: document.url, contentType: HTML_TYPE });
    if (page.text.length < sent.page.text.length && !page.loginWall) {
      return { ...sent, warnings: [NOT_RENDERED] };
    }
    const inspection: ReadInspection = { _tag: "Read", url: document.url, page };
    return document.settled ? inspection : { ...inspection, warnings: [UNSETTLED] };
  },
  (inspection, sent, { turn }) =>
    inspection.pipe(
      Effect.ensuring(turn.resume),
      Effect.catch(({ reason }) =>
        Effect.logInfo("A page was not rendered").pipe(
          Effect.annotateLogs({ reason }),
          Effect.as<ReadInspection>({ ...sent, warnings: [NOT_RENDERED] })
        )
      )
    )
);

/** Pictures of a post, and a wall in front of it, say enough as they are. */
const wantsBrowser = ({ images, kind, loginWall, needsBrowser }: ReadInspection["page"]): boolean =>
  needsBrowser && !loginWall && !(kind === "photos" && images.length > 0);

export const rendered = (
  inspection: PageInspection,
  { pages, renderer, turn }: RenderingServices
): Effect.Effect<PageInspection> => {
  if (inspection._tag !== "Read" || !wantsBrowser(inspection.page)) return Effect.succeed(inspection);
  return renderer === null
    ? Effect.succeed({ ...inspection, warnings: [NO_BROWSER] })
    : renderedInspection(inspection, { pages, renderer, turn });
};
