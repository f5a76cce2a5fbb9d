/**
 * The player of a run, and what it shares with the transcript and the evidence: the current time and the selected quote.
 */
import type { EvidenceItem, CompleteResult } from "@winnow/client";
import type { RefObject } from "preact";
import { useMemo, useRef, useState, useEffect } from "preact/hooks";
import { ownUrl } from "../../data/addresses.ts";
import { languageName } from "../../words/format.ts";
import { runWords } from "./words.ts";
import { announce } from "../../parts/Toasts.tsx";

export interface Player {
  readonly media: RefObject<HTMLMediaElement>;
  readonly quote: EvidenceItem | null;
  /** Changes with each selection, so that selecting the same quote again seeks again. */
  readonly chosenAt: number;
  readonly choose: (quote: EvidenceItem) => void;
  readonly seek: (seconds: number, plays?: boolean) => void;
  readonly toggle: () => void;
  /** Calls back with the current second; returns a function that stops it. */
  readonly onTime: (watcher: (seconds: number) => void) => () => void;
  readonly reportTime: (seconds: number) => void;
}

/** Added to the start of a quote, because the previous subtitle is still shown at its exact start. */
const WITHIN_SECONDS = 0.05;

export const usePlayer = (): Player => {
  const media = useRef<HTMLMediaElement>(null);
  const watchers = useRef(new Set<(seconds: number) => void>());
  const [chosen, setChosen] = useState<{ readonly quote: EvidenceItem | null; readonly at: number }>({
    quote: null,
    at: 0
  });
  const calls = useMemo(() => {
    const reportTime = (seconds: number): void => {
      for (const watcher of watchers.current) watcher(seconds);
    };
    const seek = (seconds: number, plays = false): void => {
      if (media.current !== null) {
        media.current.currentTime = seconds;
        // Browsers block playback before the first interaction: the player then stays paused at the right time.
        if (plays) media.current.play().catch(() => undefined);
      }
      reportTime(seconds);
    };
    return {
      reportTime,
      seek,
      choose: (quote: EvidenceItem): void => {
        setChosen(({ at }) => ({ quote, at: at + 1 }));
        if (quote.startSec !== undefined) seek(quote.startSec + WITHIN_SECONDS);
      },
      toggle: (): void => {
        const element = media.current;
        if (element === null) return;
        if (element.paused) element.play().catch(() => undefined);
        else element.pause();
      },
      onTime: (watcher: (seconds: number) => void) => {
        watchers.current.add(watcher);
        return () => void watchers.current.delete(watcher);
      }
    };
  }, []);
  return { media, quote: chosen.quote, chosenAt: chosen.at, ...calls };
};

// The browser's own player with all subtitle tracks.

interface MediaPlayerProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const languageOf = (name: string): string => name.split(".").at(-2) ?? "";

export const MediaPlayer = ({ result, player }: MediaPlayerProps) => {
  const { artifacts, summary } = result;
  const { media, reportTime } = player;
  const tracks = summary.subtitleFiles.filter((name) => name.endsWith(".vtt"));
  useEffect(() => {
    const element = media.current;
    if (element === null) return undefined;
    const onTime = (): void => reportTime(element.currentTime);
    for (const event of ["timeupdate", "seeked"]) element.addEventListener(event, onTime);
    return () => {
      for (const event of ["timeupdate", "seeked"]) element.removeEventListener(event, onTime);
    };
  }, [media, reportTime]);
  if (artifacts.video !== undefined) {
    return (
      <video
        ref={media as { current: HTMLVideoElement | null }}
        class="player"
        src={ownUrl(artifacts.video)}
        poster={artifacts.thumbnail === undefined ? undefined : ownUrl(artifacts.thumbnail)}
        controls
        playsInline
        preload="metadata"
        aria-label={runWords.player}
      >
        {tracks.map((name, index) => (
          <track
            key={name}
            kind="subtitles"
            src={ownUrl(artifacts.files[name] ?? "")}
            srclang={languageOf(name)}
            label={languageName(languageOf(name))}
            default={index === 0}
          />
        ))}
      </video>
    );
  }
  if (artifacts.audio === undefined) return null;
  return (
    <audio
      ref={media as { current: HTMLAudioElement | null }}
      class="player audio"
      src={ownUrl(artifacts.audio)}
      controls
      preload="metadata"
      aria-label={runWords.player}
    />
  );
};

// Between a value and its quote: scrolls to the selected quote, announces it, and offers the way back.

/** Bottom of the head that sticks to the top and covers what is below it, in pixels from the top of the window. */
const headBottom = (): number => document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;

/** Top of the player where it is fixed to the bottom of a narrow window, else the bottom of the window. */
const freeBottom = (): number => {
  const player = document.querySelector(".player");
  return player !== null && getComputedStyle(player).position === "fixed"
    ? player.getBoundingClientRect().top
    : innerHeight;
};

/** Scrolls the page, unless all of the element is visible between the head and a fixed player. */
export const bringIntoView = (element: Element | null): void => {
  if (element === null) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= headBottom() && bottom <= freeBottom()) return;
  element.scrollIntoView({ block: "center" });
};

/** Ref of the element with the text of `source`; `isThere` once it is rendered. */
export const useScrollToMark = <Element extends HTMLElement>(
  source: string,
  { quote, chosenAt }: Player,
  isThere = true
): RefObject<Element> => {
  const box = useRef<Element>(null);
  useEffect(() => {
    const mark = quote?.source === source ? box.current?.querySelector("mark") : null;
    if (mark == null) return;
    const details = mark.closest("details");
    if (details !== null) details.open = true;
    mark.scrollIntoView({ block: "center" });
    announce(runWords.marked);
  }, [chosenAt, isThere]);
  return box;
};

const chosenQuote = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-quote][aria-pressed="true"]');

/** The words of a quote may be far from the value: a way back, while the value is out of sight. */
export const BackToValue = ({ player }: { readonly player: Player }) => {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const quote = chosenQuote();
    if (quote === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), {
      rootMargin: `-${headBottom()}px 0px -${innerHeight - freeBottom()}px`
    });
    observer.observe(quote);
    return () => observer.disconnect();
  }, [player.chosenAt]);
  const back = (): void => {
    const quote = chosenQuote();
    quote?.scrollIntoView({ block: "center" });
    quote?.focus({ preventScroll: true });
  };
  return isAway ? (
    <button class="button back-to-value" type="button" onClick={back}>
      {runWords.backToValue}
    </button>
  ) : null;
};
