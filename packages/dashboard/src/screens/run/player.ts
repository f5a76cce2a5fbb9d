/**
 * State shared by the player, the transcript and the evidence of a run: the current time and the selected quote.
 */
import type { EvidenceItem } from "@winnow/client";
import type { RefObject } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";

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
