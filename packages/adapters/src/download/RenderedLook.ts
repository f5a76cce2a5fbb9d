/**
 * The second look at a page whose server sends an empty shell: in a browser, where there is one. Without, or
 * where that fails, the page stays as it was sent, and says so.
 */
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { PageReader } from "../page/PageReader.ts";
import type { PageRenderer } from "../page/PageRenderer.ts";
import type { PageLook } from "./PageLook.ts";

const NO_BROWSER =
  "Scripts make the content of this page, and this server has no browser to run them: only what the page's own server sends was read.";

const NOT_RENDERED =
  "Scripts make the content of this page, and running them failed here: only what the page's own server sends was read.";

const UNSETTLED = "The page was still loading when it was read; some of it may be missing.";

const HTML_TYPE = "text/html; charset=utf-8";

type ReadLook = Extract<PageLook, { readonly _tag: "Read" }>;

const renderedLook = Effect.fnUntraced(
  function* (
    sent: ReadLook,
    renderer: Context.Service.Shape<typeof PageRenderer>,
    pages: Context.Service.Shape<typeof PageReader>
  ) {
    const document = yield* renderer.render(sent.url);
    const bytes = new TextEncoder().encode(document.html);
    const page = yield* pages.read(bytes, { url: document.url, contentType: HTML_TYPE });
    if (page.text.length < sent.page.text.length && !page.loginWall) {
      return { ...sent, warnings: [NOT_RENDERED] };
    }
    const look: ReadLook = { _tag: "Read", url: document.url, page };
    return document.settled ? look : { ...look, warnings: [UNSETTLED] };
  },
  (look, sent) =>
    look.pipe(
      Effect.catch(({ reason }) =>
        Effect.logInfo("A page was not rendered").pipe(
          Effect.annotateLogs({ reason }),
          Effect.as<ReadLook>({ ...sent, warnings: [NOT_RENDERED] })
        )
      )
    )
);

/** Pictures of a post, and a wall in front of it, say enough as they are. */
const wantsBrowser = ({ images, kind, loginWall, needsBrowser }: ReadLook["page"]): boolean =>
  needsBrowser && !loginWall && !(kind === "photos" && images.length > 0);

export const rendered = (
  look: PageLook,
  {
    pages,
    renderer
  }: {
    readonly pages: Context.Service.Shape<typeof PageReader>;
    readonly renderer: Context.Service.Shape<typeof PageRenderer> | null;
  }
): Effect.Effect<PageLook> => {
  if (look._tag !== "Read" || !wantsBrowser(look.page)) return Effect.succeed(look);
  return renderer === null
    ? Effect.succeed({ ...look, warnings: [NO_BROWSER] })
    : renderedLook(look, renderer, pages);
};
