/** The text of a document with the words on its scanned pages, as far as tesseract is sure of them. Tests: scans.test.ts. */
import { Failed } from "@winnow/core/domain/source/Failed";
import { dropKept, keepFile } from "@winnow/isolation/process/RunFiles";
import { ProcessorMeter } from "@winnow/isolation/process/ProcessUse";
import type { ScannedPage } from "@winnow/pages/documents/pdf/ScannedText";
import type { PageText } from "@winnow/pages/facts/PageReading";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type { Tesseract } from "../../programs/Tesseract.ts";
import { askAgain } from "../inspect/lookups.ts";
import { fetchBody, type FetchContext } from "./FetchContext.ts";

/** Pages read at once, as far as it is the account's turn. */
const READ_AT_ONCE = 4;

const pages = (count: number): string => (count === 1 ? "1 scanned page" : `${count} scanned pages`);

const illegible = new Failed({
  reason: "not_extractable",
  message: "The pages of this document are scans, and no words could be read on them.",
  hint: "Use a sharper scan, or a document with text; tesseract needs the data of its language."
});

/** The picture exists only while it is read. */
const readPage = (
  { pages: reader, place: { folder } }: FetchContext,
  tesseract: Tesseract,
  document: Uint8Array,
  page: number
) =>
  Effect.flatMap(reader.draw(document, page), ({ dotsPerInch, graymap }) =>
    Effect.acquireUseRelease(
      keepFile(folder, `scan.${page}.pgm`, graymap),
      ({ path }) => tesseract.readPage(folder, path, dotsPerInch),
      ({ path }) => dropKept(path)
    )
  );

interface WithScans {
  readonly text: PageText;
  /** About pages that were not read. */
  readonly warnings: ReadonlyArray<string>;
}

const isGone = ({ reason }: Failed): boolean => reason === "removed";

const unreadable = (count: number): string => `The words on ${pages(count)} could not be read.`;

const readScans = Effect.fnUntraced(function* (
  context: FetchContext,
  tesseract: Tesseract,
  { text, url }: { readonly text: PageText; readonly url: string }
): Effect.fn.Return<WithScans, Failed> {
  const { limits, request } = context;
  const fetchFrom = (address: string) => fetchBody(context, address, { maxBytes: limits.pageMaxBytes });
  const document = yield* askAgain(fetchFrom(url), limits, null, isGone).pipe(
    // What a redirect led to may have been for a minute only.
    Effect.catch((failure) => (url === request.url ? Effect.fail(failure) : fetchFrom(request.url)))
  );
  const selected = text.scannedPages.slice(0, limits.scannedPagesMax);
  const scans: Array<ScannedPage> = [];
  const isSpent = Deferred.makeUnsafe<void>();
  let spentMs = 0;
  const count = (usedMs: number): void => {
    spentMs += usedMs;
    if (spentMs >= limits.scansProcessorMsMax) Deferred.doneUnsafe(isSpent, Effect.void);
  };
  yield* Effect.forEach(
    selected,
    (page) =>
      readPage(context, tesseract, document, page).pipe(
        Effect.map((words) => words !== null && scans.push({ page, words })),
        Effect.ignore
      ),
    { concurrency: READ_AT_ONCE, discard: true }
  ).pipe(Effect.provideService(ProcessorMeter, count), Effect.raceFirst(Deferred.await(isSpent)));
  const whole = yield* context.pages.arrange(text, scans).pipe(Effect.mapError(() => illegible));
  if (whole.plain === "") return yield* illegible;
  const all = text.scannedPages.length;
  const unread = selected.length - scans.length;
  return {
    text: whole,
    warnings: [
      ...(selected.length < all ? [`Only the first ${selected.length} of ${pages(all)} were read.`] : []),
      ...(unread === 0 ? [] : [unreadable(unread)])
    ]
  };
});

/** Text that is there is kept, whatever becomes of the scans. `url`: of the document, which is fetched again. */
export const withScans = Effect.fn("MediaDownloader.readScans")(function* (
  context: FetchContext,
  text: PageText,
  url: string
): Effect.fn.Return<WithScans, Failed> {
  const { tesseract } = context;
  const all = text.scannedPages.length;
  if (all === 0) return { text, warnings: [] };
  if (tesseract === null) {
    return { text, warnings: [`This server has no tesseract: ${pages(all)} of the document were not read.`] };
  }
  return yield* readScans(context, tesseract, { text, url }).pipe(
    Effect.catch((failure) =>
      text.plain === "" ? Effect.fail(failure) : Effect.succeed({ text, warnings: [unreadable(all)] })
    )
  );
});
