/** Submit, read, wait and cancel, as promises. */
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import type { Submitter } from "@winnow/core/domain/request/Requester";
import type { SubmitBody } from "@winnow/core/domain/run/SubmitBody";
import { submittedBody } from "@winnow/core/domain/request/SubmittedBody";
import { EngineSettings } from "@winnow/core/engine/EngineSettings";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { Probes } from "@winnow/core/engine/extractions/Probes";
import { Runs } from "@winnow/core/engine/runs/Runs";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { pageLimit, pageOf } from "../http/pages.ts";
import {
  extractionDetail,
  extractionItem,
  progressItem,
  resultBody,
  submitResponse
} from "../routes/extractions/extractionBodies.ts";
import type { Calls } from "./Calls.ts";
import type { Engine, ExtractionQuery, FileCalls, PageQuery, WaitOptions } from "./Engine.ts";
import { EngineError } from "./EngineError.ts";
import { plainBody } from "./plainBody.ts";

type ExtractionServices = Extractions | Probes | Runs;

/** As in the endpoint's query. */
export const limitOf = ({ limit }: PageQuery) => pageLimit(limit === undefined ? undefined : String(limit));

const find = (accountId: string, id: string) =>
  Extractions.use((extractions) => extractions.get(accountId, id));

/** `submitter` defaults to an unnamed program. */
export const submit = Effect.fnUntraced(function* (
  accountId: string,
  given: unknown,
  key: string | null,
  submitter?: Submitter
) {
  const body = yield* plainBody(given);
  const { extraction, replayed } = yield* Extractions.use((extractions) =>
    extractions.submit(accountId, body, key, submitter)
  );
  return { ...submitResponse(extraction), replayed };
});

const list = Effect.fnUntraced(function* (accountId: string, query: ExtractionQuery) {
  const limit = yield* limitOf(query);
  const { publicUrl } = yield* EngineSettings;
  const page = yield* Extractions.use((extractions) =>
    extractions.list(accountId, { ...query, limit, cursor: query.cursor ?? null })
  );
  return pageOf(page.extractions, page.nextCursor, (each) => extractionItem(each, publicUrl));
});

const detail = Effect.fnUntraced(function* (extraction: Extraction) {
  const { publicUrl } = yield* EngineSettings;
  return extractionDetail(extraction, publicUrl);
});

const result = Effect.fnUntraced(function* (accountId: string, id: string) {
  const { publicUrl } = yield* EngineSettings;
  return resultBody(yield* find(accountId, id), publicUrl);
});

const watch = (accountId: string, id: string) =>
  Runs.use((runs) => runs.watch(accountId, id)).pipe(Effect.map(Stream.map(progressItem)), Stream.unwrap);

const wait = Effect.fnUntraced(function* (accountId: string, id: string, options: WaitOptions) {
  const { onProgress, timeoutMs } = options;
  const watched = Stream.runForEach(watch(accountId, id), (progress) =>
    Effect.sync(() => onProgress?.(progress))
  );
  yield* timeoutMs === undefined
    ? watched
    : Effect.timeoutOrElse(watched, {
        duration: timeoutMs,
        orElse: () =>
          Effect.fail(new EngineError("timeout", `${id} has not ended after ${timeoutMs} ms.`, { id }))
      });
  const ended = yield* result(accountId, id);
  // An extraction cannot be recreated after its deletion, so an ended one stays ended.
  return ended.status === "complete" || ended.status === "failed"
    ? ended
    : yield* Effect.die(new Error(`${id} has not ended`));
});

export const extractionCalls = (
  calls: Calls<ExtractionServices>
): Omit<Engine, "accounts" | "schemas" | "webhooks" | keyof FileCalls> => ({
  probe: (accountId, given, { signal } = {}) =>
    calls.run(
      Effect.flatMap(plainBody(given), (body) => Probes.use((probes) => probes.probe(accountId, body))),
      signal
    ),
  submit: (accountId, body, { signal, idempotencyKey = null } = {}) =>
    calls.run(submit(accountId, body, idempotencyKey), signal),
  get: (accountId, id) => calls.run(Effect.flatMap(find(accountId, id), detail)),
  list: (accountId, query = {}) => calls.run(list(accountId, query)),
  request: (accountId, id) =>
    calls.run(
      Effect.map(find(accountId, id), ({ request }) => submittedBody(request) as unknown as SubmitBody)
    ),
  result: (accountId, id) => calls.run(result(accountId, id)),
  wait: (accountId, id, options = {}) => calls.run(wait(accountId, id, options), options.signal),
  progress: (accountId, id, { signal } = {}) => calls.iterate(watch(accountId, id), signal),
  cancel: (accountId, id) =>
    calls.run(
      Effect.flatMap(
        Runs.use((runs) => runs.cancel(accountId, id)),
        detail
      )
    ),
  delete: (accountId, id) => calls.run(Runs.use((runs) => runs.remove(accountId, id)))
});
