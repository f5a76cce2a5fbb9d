/** What the server found at the URL of a new extraction. Tests: newForm.test.ts. */
import type { ProbeResponse } from "@winnow/client";
import { Thumbnail } from "../../parts/Icon.tsx";
import { shortUrl, siteOf } from "../../parts/runTexts.ts";
import { clock, languageName } from "../../words/format.ts";
import { kindsWords, wordOf } from "../../words/words.ts";
import { sourceWords } from "./words.ts";

const LANGUAGES_SHOWN = 3;

const captionsOf = ({ captionLanguages, hasSubtitles }: ProbeResponse): string => {
  const tags = new Set(captionLanguages.map(({ language }) => language).filter((tag) => tag !== "und"));
  const names = [...tags].slice(0, LANGUAGES_SHOWN).map(languageName);
  if (names.length > 0) return sourceWords.captionsIn(names.join(", "), tags.size - names.length);
  return hasSubtitles ? sourceWords.captions : "";
};

const factsOf = (probe: ProbeResponse): string =>
  [
    siteOf(probe.url),
    wordOf(kindsWords, probe.kind),
    probe.durationSec === null ? "" : clock(probe.durationSec),
    probe.imageCount > 0 ? sourceWords.images(probe.imageCount) : "",
    probe.chapters > 0 ? sourceWords.chapters(probe.chapters) : "",
    captionsOf(probe),
    probe.hasComments ? sourceWords.comments : ""
  ]
    .filter((fact) => fact !== "")
    .join(" · ");

/** What the server found at the URL. */
export const Source = ({
  probe,
  isCurrent
}: {
  readonly probe: ProbeResponse;
  readonly isCurrent: boolean;
}) => (
  <>
    <Thumbnail key={probe.thumbnail} url={probe.thumbnail} kind={probe.kind} />
    <div class={isCurrent ? "grow" : "grow old"}>
      <p class="source-title one-line" dir="auto" title={probe.title ?? undefined}>
        {probe.title ?? shortUrl(probe.url)}
      </p>
      <p class="hint two-lines">{factsOf(probe)}</p>
    </div>
  </>
);
