/**
 * The rungs of an AI run: a single one without auto mode; with it, the cheapest inputs first, and more expensive
 * ones while the answer is not good enough and they can help. The best answer wins. Tests: Auto.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Scope from "effect/Scope";
import {
  absentOf,
  type Coverage,
  emptyRunFailure,
  isRequested,
  withUnread
} from "../../domain/run/Availability.ts";
import { refusalOf } from "../../domain/run/Warnings.ts";
import type { Extraction } from "../../domain/run/Extraction.ts";
import type { Failed } from "../../domain/source/Failed.ts";
import type { Modality } from "../../domain/source/Modality.ts";
import { isBetter, isGoodEnough } from "../../domain/evidence/RungQuality.ts";
import { rungsOf } from "../../domain/money/Pricing.ts";
import { pricedFacts, type SourceKind } from "../../domain/source/SourceFacts.ts";
import { Analyst } from "../../ports/Analyst.ts";
import { CurrentRun } from "../../ports/CurrentRun.ts";
import type { EnginePorts } from "../EnginePorts.ts";
import { changingProgress } from "./ProgressFeed.ts";
import { fetchInputs, type FetchedInputs } from "./InputFetch.ts";
import { analyseContent, type ContentAnalysis } from "./ContentAnalysis.ts";

/** In auto mode, the progress of a rung names its inputs. */
const inRung = ({ request }: Extraction, modalities: ReadonlyArray<Modality>) =>
  changingProgress((now) => (request.auto ? { ...now, rung: modalities } : now));

/** The result of a rung. */
export interface RungResult {
  readonly modalities: ReadonlyArray<Modality>;
  readonly fetchedInputs: FetchedInputs;
  readonly coverage: Coverage;
  readonly analysis: ContentAnalysis;
}

interface Rung {
  readonly modalities: ReadonlyArray<Modality>;
  /** Known to be unavailable; not even fetched. */
  readonly unread: ReadonlyArray<Modality>;
  /**
   * At least one of these must be available for the rung to be worth a call; null for the first rung, which always
   * runs.
   */
  readonly added: ReadonlyArray<Modality> | null;
  /** What the best cheaper rung read; null for the first rung. */
  readonly before: ContentAnalysis | null;
}

/** The additional content of a rung: null if nothing it adds is available. */
const readRung = Effect.fn("Escalation.readRung")(function* (
  extraction: Extraction,
  { modalities, unread, added, before }: Rung,
  fetchedInputs: FetchedInputs
): Effect.fn.Return<RungResult | null, Failed, EnginePorts> {
  const { facts } = fetchedInputs;
  const rungRequest = { ...extraction.request, modalities };
  const fetched = withUnread(fetchedInputs.coverage, unread);
  const absent = absentOf(facts.kind, rungRequest, fetched.parts);
  if (added?.every((modality) => absent.includes(modality)) ?? false) return null;
  const refuse = (coverage: Coverage) => {
    const refusal = refusalOf(facts, rungRequest, coverage);
    return refusal === null ? Effect.void : Effect.fail(refusal);
  };
  yield* refuse(fetched);
  const { report } = yield* CurrentRun;
  const analysing = { step: "analysing", percent: null, bytes: fetchedInputs.bytes } as const;
  yield* report(analysing);
  const inputs = modalities.filter((modality) => !absent.includes(modality));
  const analysis = yield* analyseContent(extraction, { fetchedInputs, inputs, before }).pipe(
    // What was transcribed is then read.
    changingProgress((now) =>
      now.step === "transcribing" && now.doneSeconds >= now.totalSeconds ? analysing : now
    )
  );
  const coverage = withUnread(fetched, analysis.unread, analysis.slides);
  yield* refuse(coverage);
  return { modalities, fetchedInputs, coverage, analysis };
});

/** The first rung starts with the inspection, which determines the kind; until then the priced kind is shown. */
const fetchCheapest = (extraction: Extraction, cheapestOf: (kind: SourceKind) => ReadonlyArray<Modality>) =>
  fetchInputs({ extraction, modalitiesOf: cheapestOf, before: null }).pipe(
    inRung(extraction, cheapestOf(pricedFacts(extraction.seen).kind))
  );

/** The files of a rung, independent of its analysis. */
interface RungAttempt {
  readonly fetchedInputs: FetchedInputs;
  readonly reached: Result.Result<RungResult | null, Failed>;
}

/** Fails if its files cannot be fetched. */
const tryRung = Effect.fn("Escalation.tryRung")(function* (
  extraction: Extraction,
  rung: Rung,
  before: FetchedInputs
): Effect.fn.Return<RungAttempt, Failed, EnginePorts | Scope.Scope> {
  const { modalities, unread } = rung;
  const fetchedInputs = yield* fetchInputs({
    extraction,
    modalitiesOf: () => modalities.filter((modality) => !unread.includes(modality)),
    before
  });
  return { fetchedInputs, reached: yield* Effect.result(readRung(extraction, rung, fetchedInputs)) };
});

/** A failure of a later rung affects only that rung, but a video that turns out too long fails the run. */
const endsRun = ({ reason }: Failed): boolean => reason === "too_long";

const escalationFailedWarning = (added: ReadonlyArray<Modality>, { message }: Failed): string =>
  `The result was made without ${added.join(" and ")}, because trying it failed: ${message}`;

export interface Escalated {
  readonly best: RungResult;
  /** The maximum measured duration, even if a cheaper rung won. */
  readonly measuredDurationSeconds: number | null;
  readonly warnings: ReadonlyArray<string>;
}

/** Fails if its first rung fails. `ceiling`: the debited modalities. */
export const escalate = Effect.fn("Escalation.escalate")(function* (
  extraction: Extraction,
  ceiling: ReadonlyArray<Modality>
): Effect.fn.Return<Escalated, Failed, EnginePorts | Scope.Scope> {
  const rungsFor = (kind: SourceKind) => (extraction.request.auto ? rungsOf(kind, ceiling) : [ceiling]);
  const { takes } = yield* Analyst;
  let fetchedInputs = yield* fetchCheapest(extraction, (kind) => rungsFor(kind)[0] ?? ceiling);
  const [cheapest = ceiling, ...dearer] = rungsFor(fetchedInputs.facts.kind);
  const started = yield* readRung(
    extraction,
    { modalities: cheapest, unread: [], added: null, before: null },
    fetchedInputs
  ).pipe(inRung(extraction, cheapest));
  if (started === null) return yield* Effect.die(new Error("the first rung is always tried"));
  let best = started;
  const warnings: Array<string> = [];
  for (const modalities of dearer) {
    if (isGoodEnough(best.analysis.rungQuality)) break;
    const capabilities = yield* takes;
    const unread = modalities.filter(
      (modality) => !capabilities.includes(modality) && !isRequested(fetchedInputs.coverage, modality)
    );
    const added = modalities.filter(
      (modality) => !isRequested(fetchedInputs.coverage, modality) && !unread.includes(modality)
    );
    if (added.length === 0) continue;
    const tried = yield* Effect.result(
      tryRung(extraction, { modalities, unread, added, before: best.analysis }, fetchedInputs).pipe(
        inRung(extraction, modalities)
      )
    );
    if (Result.isSuccess(tried)) ({ fetchedInputs } = tried.success);
    const reached = Result.flatMap(tried, (success) => success.reached);
    if (Result.isFailure(reached)) {
      if (endsRun(reached.failure)) return yield* reached.failure;
      warnings.push(escalationFailedWarning(added, reached.failure));
      break;
    }
    const found = reached.success;
    if (found !== null && isBetter(found.analysis.rungQuality, best.analysis.rungQuality)) best = found;
  }
  const { fetchedInputs: read, modalities, coverage } = best;
  const emptyFailure = emptyRunFailure(read.facts.kind, { ...extraction.request, modalities }, coverage);
  if (emptyFailure !== null) return yield* Effect.fail(emptyFailure);
  return { best, measuredDurationSeconds: fetchedInputs.measuredDurationSeconds, warnings };
});
