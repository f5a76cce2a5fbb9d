/** Links that the operator suggests to try. Tests: firstRun.test.ts. */
import type { ComponentChildren } from "preact";
import { useAccount } from "../data/client.ts";
import { sampleWords } from "../words/words.ts";
import { shortUrl, siteOf } from "./runTexts.ts";

const LABEL_CHARS_MAX = 32;

/** The site where that tells them apart; without it if all have the same. */
const labelOf = (url: string, all: ReadonlyArray<string>): string => {
  const sites = new Set(all.map(siteOf));
  if (sites.size === all.length) return siteOf(url);
  const label = sites.size === 1 ? shortUrl(url).replace(/^[^/]*\//u, "") : shortUrl(url);
  return label.length > LABEL_CHARS_MAX ? `${label.slice(0, LABEL_CHARS_MAX - 1)}…` : label;
};

interface SamplesProps {
  readonly isOffered?: boolean;
  readonly onChoose: (url: string) => void;
  /** In their place, where none are offered. */
  readonly children?: ComponentChildren;
}

export const Samples = ({ isOffered = true, onChoose, children }: SamplesProps) => {
  const { data: account } = useAccount();
  const urls = (isOffered ? account?.sampleUrls : undefined) ?? [];
  return urls.length === 0 ? (
    <>{children}</>
  ) : (
    <p class="row samples hint">
      {sampleWords.or}
      {urls.map((url) => (
        <button key={url} class="button small" type="button" title={url} onClick={() => onChoose(url)}>
          {labelOf(url, urls)}
        </button>
      ))}
    </p>
  );
};
