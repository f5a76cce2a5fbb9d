/** The shapes of a page worker's answers, checked before it is used: the worker has read untrusted bytes. */
import { MetadataLink, type SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import { TextSection } from "@winnow/core/domain/text/InputText";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import * as Schema from "effect/Schema";
import { answerReader } from "@winnow/isolation/worker/WorkerProcess";
import { SCAN_DOTS_PER_INCH_MAX } from "@winnow/pages/PageLimits";
import type { PageReading, PageText } from "@winnow/pages/facts/PageReading";
import type { ReadOutcome } from "@winnow/pages/ReadBytes";

const { Array: list, Boolean: flag, NullOr: nullOr, Number: number, String: text, Struct: struct } = Schema;

const Text: Schema.Codec<PageText> = struct({
  plain: text,
  markdown: text,
  sections: list(TextSection),
  links: list(MetadataLink),
  confidence: number,
  wholePage: nullOr(struct({ text, markdown: text, sections: list(TextSection) })),
  pageCount: nullOr(number),
  scannedPages: list(number)
});

const Reading: Schema.Codec<PageReading> = struct({
  kind: Schema.Literals(["video", "photos", "webpage"]),
  text: Text,
  metadata: struct({
    title: nullOr(text),
    uploader: nullOr(text),
    uploadDate: nullOr(text),
    description: nullOr(text),
    thumbnail: nullOr(text),
    durationSeconds: nullOr(number),
    viewCount: nullOr(number),
    likeCount: nullOr(number),
    commentCount: nullOr(number),
    language: nullOr(text),
    canonicalUrl: nullOr(text),
    // The server reads its parts one by one, as those of a stored metadata.json.
    details: Schema.declare((value): value is SourceDetails => isJsonObject(value))
  }),
  media: struct({
    images: list(text),
    videoUrls: list(text),
    subtitles: list(struct({ language: text, url: text })),
    subtitleLabels: list(struct({ url: text, label: text }))
  }),
  loginWall: flag,
  needsBrowser: flag,
  refreshUrl: nullOr(text)
});

export const readAnswer = answerReader<ReadOutcome, ReadOutcome>(
  Schema.Union([
    struct({ reading: Reading }),
    struct({
      refused: Schema.Literals(["empty", "no_text", "unsupported_type", "damaged", "encrypted", "too_large"])
    })
  ])
);

/** Of a picture: what goes with its bytes. */
export const readFacts = Schema.decodeUnknownEffect(
  struct({ dotsPerInch: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: SCAN_DOTS_PER_INCH_MAX })) })
);

export const readText = answerReader(Text);
