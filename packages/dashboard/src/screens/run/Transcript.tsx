/** The transcript line by line: clicking a line seeks, the current line is scrolled to, a quote is highlighted. */
import { findAll, lineAt, marksOf, Marked, type Line, type Range } from "./marks.tsx";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { IconButton } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { announce } from "../../parts/Toasts.tsx";
import { clock, spokenClock } from "../../words/format.ts";
import { runWords } from "./words.ts";
import { bringIntoView, type Player } from "./player.tsx";

/** `transcript.json`. */
export const linesOfJson = (json: string): ReadonlyArray<Line> => {
  const { segments = [] } = JSON.parse(json) as { readonly segments?: ReadonlyArray<Line> };
  return segments;
};

interface TranscriptProps {
  readonly lines: ReadonlyArray<Line>;
  readonly player: Player;
}

interface RowProps {
  readonly line: Line;
  readonly index: number;
  readonly mark: Range | undefined;
  readonly search: string;
  /** The hit that the search is at. */
  readonly isHit: boolean;
  readonly onSeek: (second: number) => void;
}

/** Its button is reached by arrow keys: an hour of speech is one tab stop. */
const Row = memo(({ line, index, mark, search, isHit, onSeek }: RowProps) => (
  <li class={isHit ? "line hit" : "line"} data-line={index}>
    <button
      type="button"
      tabIndex={-1}
      aria-label={runWords.playFrom(clock(line.startSec))}
      onClick={() => onSeek(line.startSec)}
    >
      {clock(line.startSec)}
    </button>
    <p
      dir="auto"
      onClick={() => {
        // Selecting text must not seek.
        if (getSelection()?.isCollapsed === true) onSeek(line.startSec);
      }}
    >
      <Marked text={line.text} ranges={mark === undefined ? findAll(line.text, search) : [mark]} />
    </p>
  </li>
));

const rowIn = (list: HTMLOListElement | null, index: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-line="${index}"]`) ?? null;

/** Scrolls only the list, not the page. */
const show = (list: HTMLOListElement | null, index: number): void => {
  const row = rowIn(list, index);
  if (list === null || row === null) return;
  list.scrollTop = row.offsetTop - list.clientHeight / 3;
};

/** Highlights the current line without rendering the others again, since a talk has thousands. */
const useFollowing = ({ lines, player }: TranscriptProps, isFollowing: boolean) => {
  const list = useRef<HTMLOListElement>(null);
  const current = useRef(-1);
  const follows = useRef(isFollowing);
  follows.current = isFollowing;
  useEffect(
    () =>
      player.onTime((second) => {
        const next = lineAt(lines, second);
        if (next === current.current) return;
        rowIn(list.current, current.current)?.removeAttribute("aria-current");
        rowIn(list.current, next)?.setAttribute("aria-current", "true");
        current.current = next;
        if (follows.current) show(list.current, next);
      }),
    [lines, player.onTime]
  );
  return list;
};

/** The line that has the tab stop moves with the arrow keys. */
const useRoving = (list: RefObject<HTMLOListElement>, count: number) => {
  const focusable = (index: number): HTMLButtonElement | null =>
    rowIn(list.current, index)?.querySelector("button") ?? null;
  const at = useRef(0);
  const move = (index: number): void => {
    const next = Math.min(Math.max(index, 0), count - 1);
    focusable(at.current)?.setAttribute("tabindex", "-1");
    focusable(next)?.setAttribute("tabindex", "0");
    at.current = next;
  };
  useEffect(() => move(at.current), [count]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at.current + 1,
      ArrowUp: at.current - 1,
      Home: 0,
      End: count - 1
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(next);
    focusable(at.current)?.focus();
  };
  return { move, onKeyDown };
};

interface SearchBoxProps {
  readonly search: string;
  readonly hits: ReadonlyArray<number>;
  /** Which of the hits is shown. */
  readonly at: number;
  readonly onSearch: (search: string) => void;
  readonly onStep: (by: number) => void;
}

const SearchBox = ({ search, hits, at, onSearch, onStep }: SearchBoxProps) => (
  <div class="row grow">
    <input
      id="transcript-search"
      class="grow"
      type="search"
      aria-label={runWords.searchTranscript}
      placeholder={runWords.searchTranscript}
      value={search}
      onInput={(event) => onSearch(event.currentTarget.value)}
      onKeyDown={({ key, shiftKey }) => {
        if (key === "Enter") onStep(shiftKey ? -1 : 1);
      }}
    />
    {search.trim() === "" ? null : (
      <>
        <p class="hint" role="status">
          {hits.length === 0 ? runWords.noHits : runWords.hit(at + 1, hits.length)}
        </p>
        <IconButton
          icon="above"
          label={runWords.previousHit}
          isDisabled={hits.length === 0}
          onClick={() => onStep(-1)}
        />
        <IconButton
          icon="below"
          label={runWords.nextHit}
          isDisabled={hits.length === 0}
          onClick={() => onStep(1)}
        />
      </>
    )}
  </div>
);

/** The lines with the words, and the one of them that is shown. */
const useSearch = (lines: ReadonlyArray<Line>, list: RefObject<HTMLOListElement>) => {
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const needle = search.trim().toLocaleLowerCase();
  const hits = useMemo(
    () =>
      needle === ""
        ? []
        : lines.flatMap((line, index) => (line.text.toLocaleLowerCase().includes(needle) ? [index] : [])),
    [lines, needle]
  );
  const hit = hits[at];
  useEffect(() => {
    if (hit !== undefined) show(list.current, hit);
  }, [hit]);
  const onSearch = (text: string): void => {
    setSearch(text);
    setAt(0);
  };
  const onStep = (by: number): void => {
    if (hits.length > 0) setAt((at + by + hits.length) % hits.length);
  };
  return { search, needle, hits, at, hit, onSearch, onStep };
};

export const Transcript = ({ lines, player }: TranscriptProps) => {
  const [isFollowing, setFollowing] = useState(true);
  const list = useFollowing({ lines, player }, isFollowing);
  const found = useSearch(lines, list);
  const { move, onKeyDown } = useRoving(list, lines.length);
  const { quote, chosenAt, seek } = player;
  const marks = useMemo(
    () => (quote?.source === "transcript" ? marksOf(lines, quote) : new Map<number, Range>()),
    [lines, quote]
  );
  useEffect(() => {
    if (quote?.source !== "transcript") return;
    const [first] = marks.keys();
    found.onSearch("");
    if (first !== undefined) show(list.current, first);
    bringIntoView(rowIn(list.current, first ?? -1) ?? list.current);
    if (first === undefined) return;
    move(first);
    announce(runWords.markedAt(spokenClock(lines[first]?.startSec ?? 0)));
  }, [chosenAt]);
  useEffect(() => {
    if (found.hit !== undefined) move(found.hit);
  }, [found.hit]);
  const onSeek = useMemo(() => (second: number) => seek(second, true), [seek]);
  return (
    <section class="panel stack tight transcript" aria-label={runWords.transcript}>
      <div class="row">
        <h2>{runWords.transcript}</h2>
        <SearchBox
          {...found}
          onStep={(by) => {
            setFollowing(false);
            found.onStep(by);
          }}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
          {runWords.follow}
        </label>
      </div>
      <ol
        ref={list}
        class="lines"
        aria-label={runWords.lines}
        onKeyDown={onKeyDown}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
      >
        {lines.map((line, index) => (
          <Row
            key={index}
            line={line}
            index={index}
            mark={marks.get(index)}
            search={found.needle}
            isHit={index === found.hit}
            onSeek={onSeek}
          />
        ))}
      </ol>
    </section>
  );
};
