/**
 * A complete run. Wide: media and text on one side; values, files and money on the other. Narrow: one column, with the
 * values directly below the player, which below 900 px is a bar at the bottom of the window.
 */
import type { CompleteResult, ExtractionDetail } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useRequest, useText } from "../../data/extractions.ts";
import { Waiting } from "../../parts/Waiting.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { runWords } from "./words.ts";
import { BackToValue, MediaPlayer, usePlayer, type Player } from "./player.tsx";
import { Comments } from "./Comments.tsx";
import { Files, Images, Parts, RawJson } from "./Files.tsx";
import { Metadata } from "./Metadata.tsx";
import { PageText, PlainText } from "./PageText.tsx";
import { Transcript, linesOfJson } from "./Transcript.tsx";
import { Values } from "./Values.tsx";

/** Whether a media query matches, for layouts that differ in their order, which CSS must not change. */
const useMedia = (query: string): boolean => {
  const [matches, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = (): void => set(list.matches);
    onChange();
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, [query]);
  return matches;
};

interface CompleteProps {
  readonly run: ExtractionDetail;
  readonly result: CompleteResult<unknown>;
  /** Statement, timeline and deliveries. */
  readonly rest: ComponentChildren;
}

/** As in run.css. */
const TWO_COLUMNS = "(min-width: 72rem)";

const SEEK_SECONDS = 5;

/** The quote that follows the selected one on the page. */
export const nextQuote = (): void => {
  const quotes = [...document.querySelectorAll<HTMLButtonElement>("[data-quote]")];
  const at = quotes.findIndex((quote) => quote.getAttribute("aria-pressed") === "true");
  const next = quotes[(at + 1) % Math.max(1, quotes.length)];
  next?.click();
  next?.focus();
};

const usePlayerKeys = ({ media, seek, toggle }: Player): void => {
  const by = (seconds: number) => (): void => seek((media.current?.currentTime ?? 0) + seconds);
  useShortcuts({
    " ": toggle,
    ArrowLeft: by(-SEEK_SECONDS),
    ArrowRight: by(SEEK_SECONDS),
    e: nextQuote,
    "/": () => document.getElementById("transcript-search")?.focus()
  });
};

interface TextProps {
  readonly result: CompleteResult<unknown>;
  readonly player: Player;
}

const TimedText = ({ name, ...props }: TextProps & { readonly name: string }) => (
  <Waiting query={useText(props.result.id, name, linesOfJson)} lines={6}>
    {(lines) =>
      lines.length === 0 ? <UntimedText {...props} /> : <Transcript lines={lines} player={props.player} />
    }
  </Waiting>
);

const UntimedText = ({ result, player }: TextProps) => {
  const name = result.summary.transcriptFile;
  const query = useText(result.id, name);
  const isPage = result.summary.subtitleFiles.length === 0;
  return name === null ? null : (
    <Waiting query={query} lines={6}>
      {(text) => (
        <PlainText
          title={isPage ? runWords.text : runWords.transcript}
          text={text}
          source={isPage ? "page" : "transcript"}
          player={player}
        />
      )}
    </Waiting>
  );
};

/** The timed or laid out text that is shown; null for the plain one. */
const shownText = ({ files }: CompleteResult<unknown>["summary"]): string | null =>
  ["page.md", "transcript.json"].find((name) => files.includes(name)) ?? null;

/** What stands below the text is shown after it, so that it does not move. */
const useHasText = ({ id, summary }: CompleteResult<unknown>): boolean => {
  const name = shownText(summary) ?? summary.transcriptFile;
  const { isPending } = useText(id, name);
  return name === null || !isPending;
};

export const Text = (props: TextProps) => {
  const name = shownText(props.result.summary);
  if (name === null) return <UntimedText {...props} />;
  return name === "page.md" ? <PageText {...props} /> : <TimedText {...props} name={name} />;
};

const Description = ({ result, player }: TextProps) => {
  const { description } = result.summary;
  return description === null || description === "" ? null : (
    <PlainText title={runWords.description} text={description} source="description" player={player} />
  );
};

/** Something missing is only worth an alarm if somebody asked for it by name; the parts are listed anyway. */
const Warnings = ({ result }: Pick<TextProps, "result">) => {
  const { data: request } = useRequest(result.id, result.warnings.length > 0);
  const isNamed = request?.parts !== undefined || request?.inputs !== undefined;
  return (
    <>
      {result.warnings
        .filter((_, index) => isNamed || result.warningCodes[index] !== "not_found")
        .map((warning) => (
          <p key={warning} class="notice">
            {warning}
          </p>
        ))}
    </>
  );
};

/** Warnings and values: what the run was for. */
const Outcome = ({ run, ...props }: TextProps & Pick<CompleteProps, "run">) => (
  <>
    <Warnings {...props} />
    {props.result.outcome === null ? null : <Values {...props} isSettled={run.valuesToCheck === undefined} />}
  </>
);

export const Complete = ({ run, result, rest }: CompleteProps) => {
  const player = usePlayer();
  usePlayerKeys(player);
  const isWide = useMedia(TWO_COLUMNS);
  const { summary } = result;
  const hasText = useHasText(result);
  const details = (
    <>
      <Parts kind={run.kind} parts={result.parts} />
      <Files result={result} />
      {rest}
    </>
  );
  // The value whose quote a link points to.
  const { quote = "" } = useLocation().query;
  useEffect(() => {
    player.reportTime(0);
    const [first] = result.evidence?.[quote] ?? [];
    if (first !== undefined) player.choose(first);
  }, [player.reportTime]);
  return (
    <div class="run">
      <div class="stack">
        <MediaPlayer result={result} player={player} />
        {isWide ? null : <Outcome run={run} result={result} player={player} />}
        <Images result={result} player={player} />
        <Text result={result} player={player} />
        {hasText ? (
          <>
            <Description result={result} player={player} />
            {summary.commentsFile === null ? null : (
              <Comments id={result.id} name={summary.commentsFile} player={player} />
            )}
            <Metadata result={result} player={player} />
            {isWide ? null : details}
            <RawJson value={result} />
          </>
        ) : null}
      </div>
      {isWide ? (
        <div class="stack">
          <Outcome run={run} result={result} player={player} />
          {details}
        </div>
      ) : null}
      <BackToValue player={player} />
    </div>
  );
};
