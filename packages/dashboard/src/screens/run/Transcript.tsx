/**
 * The transcript line by line: clicking a line seeks, the current line is scrolled to, a quote is highlighted.
 * Tests: browser.test.ts, states.test.ts.
 */
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { IconButton } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { announce } from "../../parts/Toasts.tsx";
import { clock, spokenClock } from "../../words/format.ts";
import { findAll, lineAt, marksOf, type Line, type Range } from "./marks.ts";
import { bringIntoView, usePlayer, type Player } from "./player.tsx";
import { Marked } from "./Quoted.tsx";
import { runWords } from "./words.ts";

type Lines = ReadonlyArray<Line>;

interface RowProps {
  readonly line: Line;
  readonly index: number;
  readonly mark: Range | undefined;
  readonly search: string;
  /** The hit that the search is at. */
  readonly isHit: boolean;
  readonly isCurrent: boolean;
  /** Arrow keys lead to the other lines: an hour of speech is one tab stop. */
  readonly isStop: boolean;
  readonly onSeek: Player["seek"];
}

const Row = memo(({ line, index, mark, search, isHit, isCurrent, isStop, onSeek }: RowProps) => (
  <li class={isHit ? "line hit" : "line"} data-line={index} aria-current={isCurrent ? "true" : undefined}>
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={runWords.playFrom(clock(line.startSec))}
      onClick={() => onSeek(line.startSec, true)}
    >
      {clock(line.startSec)}
    </button>
    <p
      dir="auto"
      onClick={() => {
        // Selecting text must not seek.
        if (getSelection()?.isCollapsed === true) onSeek(line.startSec, true);
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

/** Where a key leads from a line; undefined for other keys. */
const moved = (event: KeyboardEvent, at: number, count: number): number | undefined => {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[event.key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
};

/** The lines with the words, and the one of them that is shown. */
const useSearch = (lines: Lines) => {
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const hits = useMemo(
    () => lines.flatMap(({ text }, index) => (findAll(text, search.trim()).length > 0 ? [index] : [])),
    [lines, search]
  );
  const onSearch = (text: string): void => {
    setSearch(text);
    setAt(0);
  };
  const onStep = (by: number): void => {
    if (hits.length > 0) setAt((at + by + hits.length) % hits.length);
  };
  return { search, hits, at, hit: hits[at], onSearch, onStep };
};

type Found = ReturnType<typeof useSearch>;

const STEPS = [
  ["above", runWords.previousHit, -1],
  ["below", runWords.nextHit, 1]
] as const;

const SearchBox = ({ search, hits, at, onSearch, onStep }: Found) => (
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
        {STEPS.map(([icon, label, by]) => (
          <IconButton
            key={icon}
            icon={icon}
            label={label}
            isDisabled={hits.length === 0}
            onClick={() => onStep(by)}
          />
        ))}
      </>
    )}
  </div>
);

/** The words of the selected quote in the lines, and the line with the tab stop, which that quote and a search move. */
const useStop = (lines: Lines, list: RefObject<HTMLOListElement>, found: Found) => {
  const player = usePlayer();
  const { quote } = player;
  const [stop, setStop] = useState(0);
  const goTo = (index: number): void => {
    setStop(index);
    show(list.current, index);
  };
  const marks = useMemo(
    () => (quote?.source === "transcript" ? marksOf(lines, quote) : new Map<number, Range>()),
    [lines, quote]
  );
  useEffect(() => {
    if (quote?.source !== "transcript") return;
    const [first = -1] = marks.keys();
    found.onSearch("");
    goTo(Math.max(0, first));
    bringIntoView(list.current);
    bringIntoView(rowIn(list.current, first));
    const line = lines[first];
    if (line !== undefined) announce(runWords.markedAt(spokenClock(line.startSec)));
  }, [player]);
  useEffect(() => {
    if (found.hit !== undefined) goTo(found.hit);
  }, [found.hit]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moved(event, stop, lines.length);
    if (to === undefined) return;
    event.preventDefault();
    setStop(to);
    rowIn(list.current, to)?.querySelector("button")?.focus();
  };
  return { marks, stop, onKeyDown };
};

export const Transcript = ({ lines }: { readonly lines: Lines }) => {
  const { seek, onTime } = usePlayer();
  const [isFollowing, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const [current, setCurrent] = useState(-1);
  const found = useSearch(lines);
  const { marks, stop, onKeyDown } = useStop(lines, list, found);
  useEffect(() => onTime((second) => setCurrent(lineAt(lines, second))), [lines, onTime]);
  useEffect(() => {
    if (isFollowing) show(list.current, current);
  }, [current]);
  useEffect(() => setFollowing((was) => was && found.hit === undefined), [found.hit]);
  useShortcuts({ "/": () => document.getElementById("transcript-search")?.focus() });
  return (
    <section class="panel stack tight transcript" aria-label={runWords.transcript}>
      <div class="row">
        <h2>{runWords.transcript}</h2>
        <SearchBox {...found} />
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
            search={found.search.trim()}
            isHit={index === found.hit}
            isCurrent={index === current}
            isStop={index === stop}
            onSeek={seek}
          />
        ))}
      </ol>
    </section>
  );
};
