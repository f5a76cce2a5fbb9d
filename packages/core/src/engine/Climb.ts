/**
 * The rungs of an AI run: one without auto mode; with it, the cheapest inputs first, and dearer ones as
 * long as the answer is not good enough and they can help (specification, `auto`). The best answer counts.
 */
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import type { Extraction } from "../domain/Extraction.ts";
import type { Failure } from "../domain/Failure.ts";
import { MODALITIES, type Modality } from "../domain/Modality.ts";
import { isBetter, isGoodEnough } from "../domain/Quality.ts";
import { rungsOf } from "../domain/Rungs.ts";
import type { RunProgress } from "../domain/RunProgress.ts";
import type { SourceFacts } from "../domain/SourceFacts.ts";
import { Analyst } from "../ports/Analyst.ts";
import { absentOf, languageOf, NO_SLIDES, refusalOf, type Missing } from "./Availability.ts";
import type { EnginePorts } from "./EnginePorts.ts";
import { gather, type Gathered } from "./Gathering.ts";
import { read, type Reading } from "./Reading.ts";

export interface ClimbRequest {
  readonly extraction: Extraction;
  readonly kind: SourceFacts["kind"];
  /** What was paid for. */
  readonly ceiling: ReadonlyArray<Modality>;
  readonly report: (
    rung: ReadonlyArray<Modality>,
    progress: Pick<RunProgress, "step" | "percent" | "bytes">
  ) => Effect.Effect<void>;
}

/** What a rung came to. */
export interface Reached {
  readonly modalities: ReadonlyArray<Modality>;
  readonly gathered: Gathered;
  readonly missing: Missing;
  readonly reading: Reading;
}

interface Rung {
  readonly modalities: ReadonlyArray<Modality>;
  /** Known before: they are not even fetched. */
  readonly untaken: ReadonlyArray<Modality>;
  /** What must be there for the rung to be worth a call; null for the first, which is always tried. */
  readonly added: ReadonlyArray<Modality> | null;
  /** What the best cheaper rung read; null for the first. */
  readonly before: Reading | null;
}

/** What a rung is worth over its files: null when nothing of what it adds is there. */
const readRung = Effect.fn("Climb.readRung")(function* (
  { extraction, report }: ClimbRequest,
  { modalities, untaken, added, before }: Rung,
  gathered: Gathered
): Effect.fn.Return<Reached | null, Failure, EnginePorts> {
  const { request } = extraction;
  const asked = { mode: request.mode, modalities };
  const absent = absentOf(gathered.facts.kind, asked, gathered.lacking);
  if (added?.every((modality) => absent.includes(modality)) ?? false) return null;
  const refuse = (missing: Missing) => {
    const refusal = refusalOf(gathered.facts.kind, request, missing);
    return refusal === null ? Effect.void : Effect.fail(refusal);
  };
  const language = languageOf(request, gathered);
  yield* refuse({ absent, untaken, language, slides: NO_SLIDES });
  yield* report(modalities, { step: "analysing", percent: null, bytes: gathered.bytes });
  const inputs = modalities.filter((modality) => !absent.includes(modality) && !untaken.includes(modality));
  const reading = yield* read(extraction, { gathered, inputs, before });
  const missing: Missing = {
    absent,
    untaken: [...untaken, ...reading.untaken],
    language,
    slides: reading.slides
  };
  yield* refuse(missing);
  return { modalities, gathered, missing, reading };
});

/** The files of a rung, which count whatever reading them came to. */
interface Tried {
  readonly gathered: Gathered;
  readonly reached: Result.Result<Reached | null, Failure>;
}

/** Fails when its files cannot be had. */
const tryRung = Effect.fn("Climb.tryRung")(function* (
  climbing: ClimbRequest,
  rung: Rung,
  before: Gathered | null
): Effect.fn.Return<Tried, Failure, EnginePorts | Scope.Scope> {
  const { extraction, kind, report } = climbing;
  const { modalities, untaken } = rung;
  const gathered = yield* gather({
    extraction,
    kind,
    modalities: modalities.filter((modality) => !untaken.includes(modality)),
    before,
    onProgress: (progress) => report(modalities, progress)
  });
  return { gathered, reached: yield* Effect.result(readRung(climbing, rung, gathered)) };
});

/** A fault of a dearer rung costs that rung only; a video that proves too long fails the run. */
const endsRun = ({ reason }: Failure): boolean => reason === "too_long";

const stayedSentence = (added: ReadonlyArray<Modality>, { message }: Failure): string =>
  `The result was made without ${added.join(" and ")}, because trying it failed: ${message}`;

export interface Climbed {
  readonly best: Reached;
  /** Of the longest look at the media, also where a cheaper rung won. */
  readonly measuredDurationSeconds: number | null;
  readonly warnings: ReadonlyArray<string>;
}

/** Fails as its first rung does. */
export const climb = Effect.fn("Climb.climb")(function* (
  climbing: ClimbRequest
): Effect.fn.Return<Climbed, Failure, EnginePorts | Scope.Scope> {
  const { extraction, kind, ceiling } = climbing;
  const [cheapest = ceiling, ...dearer] = extraction.request.auto ? rungsOf(kind, ceiling) : [ceiling];
  const { takes = Effect.succeed(MODALITIES) } = yield* Analyst;
  const first = yield* tryRung(
    climbing,
    { modalities: cheapest, untaken: [], added: null, before: null },
    null
  );
  const started = yield* Effect.fromResult(first.reached);
  if (started === null) return yield* Effect.die(new Error("the first rung is always tried"));
  let best = started;
  let gathered = first.gathered;
  const warnings: Array<string> = [];
  for (const modalities of dearer) {
    if (isGoodEnough(best.reading.rung)) break;
    const taken = yield* takes;
    const untaken = modalities.filter(
      (modality) => !taken.includes(modality) && !gathered.fetched.includes(modality)
    );
    const added = modalities.filter(
      (modality) => !gathered.fetched.includes(modality) && !untaken.includes(modality)
    );
    if (added.length === 0) continue;
    const tried = yield* Effect.result(
      tryRung(climbing, { modalities, untaken, added, before: best.reading }, gathered)
    );
    if (Result.isSuccess(tried)) ({ gathered } = tried.success);
    const reached = Result.flatMap(tried, (success) => success.reached);
    if (Result.isFailure(reached)) {
      if (endsRun(reached.failure)) return yield* Effect.fail(reached.failure);
      warnings.push(stayedSentence(added, reached.failure));
      break;
    }
    const found = reached.success;
    if (found !== null && isBetter(found.reading.rung, best.reading.rung)) best = found;
  }
  return { best, measuredDurationSeconds: gathered.measuredDurationSeconds, warnings };
});
