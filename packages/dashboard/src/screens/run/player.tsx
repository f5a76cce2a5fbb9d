/**
 * The player of a run, and what it shares with the texts and the evidence: the current time and the selected quote.
 * Tests: browser.test.ts, price.test.ts.
 */
import type { EvidenceItem, CompleteResult } from "@winnow/client";
import { createContext, type ComponentChildren, type RefObject } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { ownUrl } from "../../data/addresses.ts";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { languageName } from "../../words/format.ts";
import { runWords } from "./words.ts";

/**
 * Another object after each selection, so that selecting the same quote again seeks and scrolls again. All seconds are
 * those of the source: of a run of a stretch, the file begins later.
 */
export interface Player {
  readonly media: RefObject<HTMLMediaElement>;
  readonly quote: EvidenceItem | null;
  readonly choose: (quote: EvidenceItem) => void;
  /** To what begins there. */
  readonly seek: (startSec: number, plays?: boolean) => void;
  readonly toggle: () => void;
  /** Calls back with the current second; returns a function that stops it. */
  readonly onTime: (watcher: (seconds: number) => void) => () => void;
  readonly reportTime: (seconds: number) => void;
}

/** Added to the start of a line, quote or chapter, at which the previous subtitle is still shown. */
const WITHIN_SECONDS = 0.05;

const createPlayer = (): Omit<Player, "quote" | "choose"> => {
  const media: RefObject<HTMLMediaElement> = { current: null };
  const watchers = new Set<(seconds: number) => void>();
  const reportTime = (seconds: number): void => {
    for (const watcher of watchers) watcher(seconds);
  };
  const beginSec = (): number => Number(media.current?.dataset["beginSec"] ?? 0);
  // Browsers block playback before the first interaction: the player then stays paused at the right time.
  const play = (): void => void media.current?.play().catch(() => undefined);
  return {
    media,
    reportTime,
    seek: (startSec, plays = false) => {
      const seconds = startSec + WITHIN_SECONDS;
      if (media.current !== null) media.current.currentTime = Math.max(0, seconds - beginSec());
      if (plays) play();
      reportTime(seconds);
    },
    toggle: () => (media.current?.paused === false ? media.current.pause() : play()),
    onTime: (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    }
  };
};

const Shared = createContext<Player | null>(null);

/** That of the `Playing` around the component. */
export const usePlayer = (): Player => useContext(Shared) as Player;

interface PlayingProps {
  /** Selected at first. */
  readonly first?: EvidenceItem | undefined;
  readonly children: ComponentChildren;
}

export const Playing = ({ first, children }: PlayingProps) => {
  const [player] = useState(createPlayer);
  const [chosen, setChosen] = useState<Pick<Player, "quote">>({ quote: null });
  const shared = useMemo((): Player => {
    const choose = (quote: EvidenceItem): void => {
      setChosen({ quote });
      if (quote.startSec !== undefined) player.seek(quote.startSec);
    };
    return { ...player, ...chosen, choose };
  }, [chosen]);
  useEffect(() => {
    if (first !== undefined) shared.choose(first);
  }, []);
  return <Shared.Provider value={shared}>{children}</Shared.Provider>;
};

interface MediaPlayerProps {
  readonly result: CompleteResult<unknown>;
  /** Where it begins. */
  readonly startSec?: number;
}

const SEEK_SECONDS = 5;

const languageOf = (name: string): string => name.split(".").at(-2) ?? "";

const beginOf = ({ range }: CompleteResult<unknown>): number => range?.startSec ?? 0;

/** Of captions, whose times are those of the source, to the times of the file. */
const shift = ({ cues }: TextTrack, seconds: number): void => {
  for (const cue of Array.from(cues ?? [])) {
    cue.startTime -= seconds;
    cue.endTime -= seconds;
  }
};

const Media = ({ result, src }: MediaPlayerProps & { readonly src: string }) => {
  const { artifacts, summary } = result;
  const beginSec = beginOf(result);
  const { media, quote, reportTime, toggle } = usePlayer();
  const [hasPlayed, setPlayed] = useState(false);
  const by = (seconds: number) => () => {
    if (media.current !== null) media.current.currentTime += seconds;
  };
  useShortcuts({ " ": toggle, ArrowLeft: by(-SEEK_SECONDS), ArrowRight: by(SEEK_SECONDS) });
  const report = ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }): void =>
    reportTime(beginSec + currentTarget.currentTime);
  const isDocked = hasPlayed || quote !== null;
  const Name = artifacts.video === undefined ? "audio" : "video";
  return (
    <Name
      ref={media as RefObject<HTMLVideoElement & HTMLAudioElement>}
      class={`player ${Name}${isDocked ? " docked" : ""}`}
      src={src}
      data-begin-sec={beginSec}
      poster={artifacts.thumbnail === undefined ? undefined : ownUrl(artifacts.thumbnail)}
      controls
      playsInline
      preload="metadata"
      aria-label={runWords.player}
      onPlay={() => setPlayed(true)}
      onTimeUpdate={report}
      onSeeked={report}
    >
      {summary.subtitleFiles
        .filter((name) => name.endsWith(".vtt"))
        .map((name, index) => (
          <track
            key={name}
            kind="subtitles"
            src={ownUrl(artifacts.files[name] ?? "")}
            srclang={languageOf(name)}
            label={languageName(languageOf(name))}
            default={index === 0}
            onLoad={({ currentTarget: { track } }) => shift(track, beginSec)}
          />
        ))}
    </Name>
  );
};

/** The browser's own player with all subtitle tracks; nothing without video and audio. */
export const MediaPlayer = ({ result, startSec }: MediaPlayerProps) => {
  const url = result.artifacts.video ?? result.artifacts.audio;
  if (url === undefined) return null;
  const at = startSec === undefined ? "" : `#t=${Math.max(0, startSec - beginOf(result))}`;
  return <Media result={result} src={ownUrl(url) + at} />;
};

const chosenQuote = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-quote][aria-pressed="true"]');

/** Scrolls the page, and boxes in it, as far as it takes. */
export const bringIntoView = (element: Element | null): void => element?.scrollIntoView({ block: "nearest" });

/** Bottom of what sticks to the top of the window and covers the element. */
const coveredPx = (element: Element): number => {
  const { left, right } = element.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".top, .docked")].map((each) => each.getBoundingClientRect());
  return Math.max(0, ...boxes.filter((box) => box.left < right && box.right > left).map((box) => box.bottom));
};

/** The words of a quote may be far from the value: a way back, while the value is out of sight. */
export const BackToValue = () => {
  const player = usePlayer();
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const quote = chosenQuote();
    if (quote === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), {
      rootMargin: `-${coveredPx(quote)}px 0px 0px`
    });
    observer.observe(quote);
    return () => observer.disconnect();
  }, [player]);
  const back = (): void => {
    const quote = chosenQuote();
    quote?.scrollIntoView({ block: "end" });
    quote?.focus({ preventScroll: true });
  };
  return isAway ? (
    <button class="button back-to-value" type="button" onClick={back}>
      {runWords.backToValue}
    </button>
  ) : null;
};
