/**
 * What a run brought: its files, the images of a photo post with the words on them, the parts that are missing, and the
 * raw result. Tests: states.test.ts.
 */
import type { CompleteResult } from "@winnow/client";
import { useState } from "preact/hooks";
import { ownUrl } from "../../data/addresses.ts";
import { size } from "../../words/format.ts";
import { runWords } from "./words.ts";
import { wordOf, partsWords } from "../../words/words.ts";
import { Code } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Sums } from "../../parts/Sums.tsx";
import { useText } from "../../data/extractions.ts";
import { Quoted } from "./Quoted.tsx";

export const Files = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const { files, details = [] } = result.artifacts;
  const names = result.summary.files;
  if (names.length === 0) return null;
  const totalBytes = details.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <Panel title={runWords.files} hint={totalBytes > 0 ? size(totalBytes) : undefined}>
      <ul class="file-list">
        {names.map((name) => {
          const bytes = details.find((file) => file.name === name)?.bytes;
          return (
            <li key={name}>
              <a href={ownUrl(files[name] ?? "")} target="_blank" rel="noopener">
                {name}
              </a>
              <span class="hint">{bytes === undefined ? "" : size(bytes)}</span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};

const WORDS_FILE = "slides.txt";

/** The number in an image's file name: 3 of "image.3.jpg". */
const numberOf = (url: string): number => Number(/image\.(\d+)\.jpg$/u.exec(url)?.[1]);

/** The words on each slide, by its number: blocks of `slides.txt`, "[3] Words of it". */
const slideWords = (text: string): ReadonlyMap<number, string> =>
  new Map(
    text.split("\n\n").flatMap((block) => {
      const [, number, onSlide = ""] = /^\[(\d+)\] ([^]+)$/u.exec(block) ?? [];
      return number === undefined ? [] : [[Number(number), onSlide.trimEnd()] as const];
    })
  );

/** The images of a photo post, each with the words that were read on it; each opens by itself. */
export const Images = ({ result }: { readonly result: CompleteResult<unknown> }) => {
  const { images } = result.artifacts;
  const hasWords = result.summary.files.includes(WORDS_FILE);
  const { data: onSlides } = useText(result.id, hasWords ? WORDS_FILE : null, slideWords);
  if (images.length === 0) return null;
  return (
    <Panel title={runWords.images} hint={String(images.length)}>
      <ul class={hasWords ? "image-grid worded" : "image-grid"}>
        {images.map((url, index) => {
          const slide = numberOf(url);
          const text = onSlides?.get(slide);
          return (
            <li key={url}>
              <a href={ownUrl(url)} target="_blank" rel="noopener">
                <img
                  src={ownUrl(url)}
                  alt={runWords.imageNumber(index + 1)}
                  loading="lazy"
                  decoding="async"
                />
              </a>
              {text === undefined ? null : (
                <p dir="auto">
                  <Quoted text={text} of={{ source: "slides", slide }} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};

const NAMES = ["transcript", "comments", "audio", "video"] as const;

/** What sources of a kind can have; the pictures of a post are shown themselves. */
const OFFERED: Readonly<Record<string, ReadonlyArray<string>>> = {
  photos: ["comments"],
  webpage: ["transcript"]
};

interface PartsProps extends Pick<CompleteResult<unknown>, "parts"> {
  readonly kind: string | null;
}

/** The state of each requested part that the kind can have: "not found" differs from "look-up failed". */
export const Parts = ({ kind, parts }: PartsProps) => {
  const offered = OFFERED[kind ?? ""] ?? NAMES;
  const requested = NAMES.filter((name) => offered.includes(name) && parts[name] !== "not_requested");
  // If everything was found, the result itself shows it.
  if (requested.every((name) => parts[name] === "found")) return null;
  return (
    <Panel title={runWords.parts}>
      <Sums
        rows={requested.map((name) => [partsWords.names[name], wordOf(runWords.partStates, parts[name])])}
      />
    </Panel>
  );
};

export const RawJson = ({ value }: { readonly value: unknown }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{runWords.rawJson}</summary>
      {isOpen ? <Code code={JSON.stringify(value, null, 2)} label={runWords.rawJson} /> : null}
    </details>
  );
};
