/** The engine's calls to a downloader for one URL. */
import { parseSourceUrl } from "@winnow/core/domain/url/SourceUrl";
import { Downloader, type FetchRequest } from "@winnow/core/ports/Downloader";
import { type Modality, MODALITIES } from "@winnow/core/domain/source/Modality";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

export const normalised = (url: string): string => Result.getOrThrow(parseSourceUrl(url)).normalized;

export const seen = (url: string) =>
  Downloader.use((downloader) => downloader.inspect(normalised(url), {})).pipe(
    // Impossible, because the queue is empty.
    Effect.catchTag("Busy", Effect.die)
  );

export const fetched = (
  url: string,
  wants: ReadonlyArray<Modality> = MODALITIES,
  over: Partial<FetchRequest> = {}
) =>
  Downloader.use((downloader) =>
    downloader.fetch({
      url: normalised(url),
      maxDurationSeconds: 3_600,
      wantsOf: () => wants,
      ...over
    })
  );

/** Names of the video and pictures in order, without the thumbnail. */
export const filesOf = (url: string) =>
  Effect.scoped(
    Effect.map(fetched(url, ["video"]), ({ files, warnings }) => ({
      media: files.map(({ name }) => name).filter((name) => /^(?:video|image)\./u.test(name)),
      warnings
    }))
  );

/** Names of all fetched files, in order. */
export const namesOf = (url: string, wants: ReadonlyArray<Modality> = MODALITIES) =>
  Effect.scoped(Effect.map(fetched(url, wants), ({ files }) => files.map(({ name }) => name)));
