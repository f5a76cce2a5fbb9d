/** The URL of a new extraction, and what the server found there. */
import type { ProbeResponse } from "@winnow/client";
import { isWebUrl, withScheme } from "@winnow/client/links";
import { useEffect, useRef } from "preact/hooks";
import type { Quote } from "../../data/quotes.ts";
import { Thumbnail } from "../../parts/Icon.tsx";
import { Samples } from "../../parts/Samples.tsx";
import { shortUrl, siteOf } from "../../parts/runTexts.ts";
import { clock } from "../../words/format.ts";
import { languageName } from "../../words/measures.ts";
import { kindsWords, wordOf } from "../../words/words.ts";
import { addressWords, draftWords, sourceWords } from "./words.ts";

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

interface AddressBoxProps {
  readonly value: string;
  readonly quote: Quote;
  readonly onChange: (text: string) => void;
  /** Empties the whole form. */
  readonly onClear: () => void;
}

/** Focused when the screen opens. */
export const AddressBox = ({ value, quote, onChange, onClear }: AddressBoxProps) => {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const isFaulty = value.trim() !== "" && !isWebUrl(withScheme(value)) && /\s|^\w+:/u.test(value.trim());
  const { probe, isCurrent, error } = quote;
  const choose = (url: string): void => {
    box.current?.focus();
    onChange(url);
  };
  return (
    <div class="panel stack tight">
      <div class="row">
        <label for="address">{addressWords.label}</label>
        <button class="button small quiet end" type="button" onClick={onClear}>
          {draftWords.clear}
        </button>
      </div>
      <input
        ref={box}
        id="address"
        class="address"
        type="text"
        inputMode="url"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        required
        placeholder="https://"
        value={value}
        aria-invalid={isFaulty ? true : undefined}
        aria-describedby="address-hint"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <div id="address-hint" class="source" aria-live="polite">
        {probe !== undefined && error === null ? (
          <>
            <Thumbnail key={probe.thumbnail} url={probe.thumbnail} kind={probe.kind} />
            <div class={isCurrent ? "grow" : "grow old"}>
              <p class="source-title" dir="auto" title={probe.title ?? undefined}>
                {probe.title ?? shortUrl(probe.url)}
              </p>
              <p class="hint">{factsOf(probe)}</p>
            </div>
          </>
        ) : (
          // In the place of the hint: with it, they would be higher than what is found, which would move all below.
          <Samples isOffered={value === ""} onChoose={choose}>
            <p class={isFaulty ? "fault" : "hint"}>{isFaulty ? addressWords.fault : addressWords.hint}</p>
          </Samples>
        )}
      </div>
    </div>
  );
};
