/** The transcript line by line: clicking a line seeks, the current line is scrolled to, a quote is highlighted. */
import { findAll, lineAt, marksOf, Marked, type Line, type Range } from "./marks.tsx";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { memo } from "../../parts/memo.ts";
import { announce } from "../../parts/Toasts.tsx";
import { clock } from "../../words/format.ts";
import { spokenClock } from "../../words/measures.ts";
import { runWords } from "./words.ts";
import { bringIntoView, type Player } from "./player.tsx";

// The lines of a transcript from a run's files. Pure.

const TIME = /^(?:(\d+):)?(\d\d):(\d\d[.,]\d{3})/u;
const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

const seconds = (text: string): number | null => {
  const [, hours = "0", minutes = "0", rest = "0"] = TIME.exec(text.trim()) ?? [];
  if (!TIME.test(text.trim())) return null;
  return Number(hours) * HOUR_SECONDS + Number(minutes) * MINUTE_SECONDS + Number(rest.replace(",", "."));
};

/** WebVTT cues without styling. */
export const linesOfVtt = (vtt: string): ReadonlyArray<Line> =>
  vtt
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/u)
    .flatMap((block) => {
      const rows = block.split("\n");
      const at = rows.findIndex((row) => row.includes("-->"));
      const [from = "", to = ""] = (rows[at] ?? "").split("-->");
      const startSec = seconds(from);
      const endSec = seconds(to);
      const text = rows
        .slice(at + 1)
        .join(" ")
        .replaceAll(/<[^>]*>/gu, "")
        .trim();
      return at === -1 || startSec === null || endSec === null || text === ""
        ? []
        : [{ startSec, endSec, text }];
    });

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
  readonly onSeek: (second: number) => void;
}

const Row = memo(({ line, index, mark, search, onSeek }: RowProps) => (
  <li class="line" data-line={index}>
    <button
      type="button"
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

const SearchBox = ({
  count,
  search,
  onSearch
}: {
  readonly count: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}) => (
  <div class="row grow">
    <input
      id="transcript-search"
      class="grow"
      type="search"
      aria-label={runWords.searchTranscript}
      placeholder={runWords.searchTranscript}
      value={search}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
    <p class="hint" role="status">
      {search === "" ? "" : runWords.linesFound(count)}
    </p>
  </div>
);

export const Transcript = ({ lines, player }: TranscriptProps) => {
  const [isFollowing, setFollowing] = useState(true);
  const [search, setSearch] = useState("");
  const list = useFollowing({ lines, player }, isFollowing);
  const { quote, chosenAt, seek } = player;
  const marks = useMemo(
    () => (quote?.source === "transcript" ? marksOf(lines, quote) : new Map<number, Range>()),
    [lines, quote]
  );
  const needle = search.trim().toLocaleLowerCase();
  const visible = useMemo(
    () =>
      lines.flatMap((line, index) =>
        needle === "" || line.text.toLocaleLowerCase().includes(needle) ? [index] : []
      ),
    [lines, needle]
  );
  useEffect(() => {
    if (quote?.source !== "transcript") return;
    const [first] = marks.keys();
    setSearch("");
    if (first !== undefined) show(list.current, first);
    bringIntoView(rowIn(list.current, first ?? -1) ?? list.current);
    if (first === undefined) return;
    announce(runWords.markedAt(spokenClock(lines[first]?.startSec ?? 0)));
  }, [chosenAt]);
  const onSeek = useMemo(() => (second: number) => seek(second, true), [seek]);
  return (
    <section class="panel stack tight transcript" aria-label={runWords.transcript}>
      <div class="row">
        <h2>{runWords.transcript}</h2>
        <SearchBox count={visible.length} search={search} onSearch={setSearch} />
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
        tabIndex={0}
        aria-label={runWords.lines}
        onWheel={() => setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
      >
        {visible.map((index) => {
          const line = lines[index];
          return line === undefined ? null : (
            <Row
              key={index}
              line={line}
              index={index}
              mark={marks.get(index)}
              search={needle}
              onSeek={onSeek}
            />
          );
        })}
      </ol>
    </section>
  );
};
