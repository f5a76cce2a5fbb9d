/**
 * A complete run. Wide: media and text on one side; values, files and money on the other. Narrow: one column, with the
 * values directly below the player. Once that has played or shown a quote, it stays in sight. Tests: everyday.test.ts.
 */
import type { CompleteResult, ExtractionDetail } from "@winnow/client";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useRequest, useText } from "../../data/extractions.ts";
import { Waiting } from "../../parts/Waiting.tsx";
import { Comments } from "./Comments.tsx";
import { Files, Images, Parts, RawJson } from "./Files.tsx";
import { linesOfJson } from "./marks.ts";
import { Metadata } from "./Metadata.tsx";
import { PageText, Prose, readPlain } from "./PageText.tsx";
import { BackToValue, MediaPlayer, Playing } from "./player.tsx";
import { Transcript } from "./Transcript.tsx";
import { Values } from "./Values.tsx";
import { runWords } from "./words.ts";

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

/** As in run.css. */
const TWO_COLUMNS = "(min-width: 72rem)";

interface TextProps {
  readonly result: CompleteResult<unknown>;
}

const TimedText = ({ result }: TextProps) => (
  <Waiting query={useText(result.id, "transcript.json", linesOfJson)} lines={6}>
    {(lines) => (lines.length === 0 ? <UntimedText result={result} /> : <Transcript lines={lines} />)}
  </Waiting>
);

const UntimedText = ({ result: { id, summary } }: TextProps) => {
  const { transcriptFile: name, subtitleFiles } = summary;
  const query = useText(id, name, readPlain);
  const props =
    subtitleFiles.length === 0
      ? { title: runWords.text, source: "page" }
      : { title: runWords.transcript, source: "transcript" };
  return name === null ? null : (
    <Waiting query={query} lines={6}>
      {(drawn) => <Prose {...props} drawn={drawn} />}
    </Waiting>
  );
};

/** The file of the text that is shown: laid out, with times, or plain. */
const textFile = ({ files, transcriptFile }: CompleteResult<unknown>["summary"]): string | null =>
  ["page.md", "transcript.json"].find((name) => files.includes(name)) ?? transcriptFile;

export const Text = ({ result }: TextProps) => {
  const name = textFile(result.summary);
  if (name === "page.md") return <PageText result={result} />;
  return name === "transcript.json" ? <TimedText result={result} /> : <UntimedText result={result} />;
};

/** Something missing is only worth an alarm if somebody asked for it by name; the parts are listed anyway. */
const Warnings = ({ result }: TextProps) => {
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

interface CompleteProps extends TextProps {
  readonly run: ExtractionDetail;
  /** Statement, timeline and deliveries. */
  readonly rest: ComponentChildren;
}

export const Complete = ({ run, result, rest }: CompleteProps) => {
  const isWide = useMedia(TWO_COLUMNS);
  // The value that a link points to.
  const { quote = "" } = useLocation().query;
  const { commentsFile } = result.summary;
  const description = useMemo(() => readPlain(result.summary.description ?? ""), [result]);
  const text = textFile(result.summary);
  const { isPending } = useText(result.id, text);
  // What the run was for.
  const outcome = (
    <>
      <Warnings result={result} />
      <Values result={result} isSettled={run.valuesToCheck === undefined} />
    </>
  );
  const details = (
    <>
      <Parts kind={run.kind} parts={result.parts} />
      <Files result={result} />
      {rest}
    </>
  );
  return (
    <Playing first={result.evidence?.[quote]?.[0]}>
      <div class="run">
        <div class="stack">
          <MediaPlayer result={result} />
          {isWide ? null : outcome}
          <Images result={result} />
          <Text result={result} />
          {/* What stands below the text is shown after it, so that it does not move. */}
          {text === null || !isPending ? (
            <>
              {description.length === 0 ? null : (
                <Prose title={runWords.description} source="description" drawn={description} />
              )}
              {commentsFile === null ? null : <Comments id={result.id} name={commentsFile} />}
              <Metadata result={result} />
              {isWide ? null : details}
              <RawJson value={result} />
            </>
          ) : null}
        </div>
        {isWide ? (
          <div class="stack">
            {outcome}
            {details}
          </div>
        ) : null}
        <BackToValue />
      </div>
    </Playing>
  );
};
