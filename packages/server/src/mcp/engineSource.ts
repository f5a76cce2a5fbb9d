/** The tools of one caller on the engine itself: the same use cases, refusals and rate limits as over HTTP. */
import type { Submitter } from "@winnow/core/domain/request/Requester";
import { Accounts } from "@winnow/core/engine/accounts/Accounts";
import { Extractions } from "@winnow/core/engine/extractions/Extractions";
import { FileLinks } from "@winnow/core/engine/extractions/FileLinks";
import type { Probes } from "@winnow/core/engine/extractions/Probes";
import type { Runs } from "@winnow/core/engine/runs/Runs";
import type { Schemas } from "@winnow/core/engine/accounts/Schemas";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import type { RateLimits } from "@winnow/core/ports/RateLimits";
import type { ToolSource } from "@winnow/client/tools";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { RateLimited } from "../http/ApiErrors.ts";
import type { Calls } from "../embed/Calls.ts";
import { extractionCalls, submit } from "../embed/extractionCalls.ts";
import { fileCalls } from "../embed/fileCalls.ts";
import { schemaCalls } from "../embed/libraryCalls.ts";
import { makeCount, type Bucket } from "../http/limits/Admission.ts";
import { fileLinkUrl } from "../http/authentication/fileLinkUrl.ts";
import { dateTime } from "../http/openapi/described.ts";

export type SourceServices =
  | Accounts
  | ArtifactStore
  | Extractions
  | FileLinks
  | Probes
  | RateLimits
  | Runs
  | Schemas;

/** The caller and the call's context. */
export interface ToolCaller {
  readonly accountId: string;
  readonly submitter: Submitter;
  /** Prefix of bucket names that separates these requests; null if requests are not counted. */
  readonly bucketPrefix: string | null;
  /** Base URL of file links; null if nothing serves them. */
  readonly publicUrl: string | null;
  /**
   * Runs a wait and counts it until it settles. Null if too many calls are waiting already, or if the server stops
   * meanwhile.
   */
  readonly whileOpen: <A>(wait: (signal: AbortSignal) => Promise<A>) => Promise<A | null>;
}

const SUBMITS: Bucket = { bucket: "submit", rate: "submitsPerMinute", times: 1 };
const PROBES: Bucket = { bucket: "probe", rate: "probesPerMinute", times: 1 };

/** Counts as a request to the equivalent endpoint. @fails RateLimited */
const counted = Effect.fnUntraced(function* ({ accountId, bucketPrefix }: ToolCaller, bucket: Bucket) {
  if (bucketPrefix === null) return;
  const count = yield* makeCount;
  const state = yield* count(accountId, bucket, bucketPrefix);
  if (state.allowed) return;
  return yield* new RateLimited({
    error: {
      message: `${state.limit} calls a minute are allowed; try again in ${state.retryAfterSeconds} s.`,
      details: { retryAfterSeconds: state.retryAfterSeconds }
    }
  });
});

const link = Effect.fnUntraced(function* (accountId: string, id: string, name: string, publicUrl: string) {
  const made = yield* FileLinks.use((links) => links.create(accountId, id, name));
  return { url: fileLinkUrl(made, publicUrl), expiresAt: dateTime(made.expiresAtSeconds * 1_000) };
});

const sizeOf = (accountId: string, id: string, name: string) =>
  Effect.map(
    Extractions.use((extractions) => extractions.openFile(accountId, id, name)),
    ({ artifact }) => artifact
  );

export const engineSource = (calls: Calls<SourceServices>, caller: ToolCaller): ToolSource => {
  const engine = { ...extractionCalls(calls), ...fileCalls(calls) };
  const library = schemaCalls(calls);
  const { accountId, submitter, publicUrl } = caller;
  return {
    probe: async (body, signal) => {
      await calls.run(counted(caller, PROBES), signal);
      return engine.probe(accountId, body as never, { signal });
    },
    submit: (body, key, signal) =>
      calls.run(Effect.andThen(counted(caller, SUBMITS), submit(accountId, body, key, submitter)), signal),
    submittedAtMs: (key, signal) =>
      calls.run(
        Effect.map(
          Extractions.use((extractions) => extractions.findSubmitted(accountId, key)),
          Option.match({ onNone: () => null, onSome: ({ createdAtMs }) => createdAtMs })
        ),
        signal
      ),
    extraction: (id) => engine.get(accountId, id),
    result: (id) => engine.result(accountId, id) as never,
    wait: (id, signal, onProgress) =>
      caller.whileOpen((ended) =>
        engine.wait(accountId, id, { signal: AbortSignal.any([signal, ended]), onProgress })
      ),
    list: (query) => engine.list(accountId, query),
    cancel: (id) => engine.cancel(accountId, id),
    file: async (id, name, bytesMax, signal) => {
      const { sizeBytes, contentType } = await calls.run(sizeOf(accountId, id, name), signal);
      if (sizeBytes === 0) return { contentType, sizeBytes, bytes: new Uint8Array() };
      const range = { start: 0, end: Math.min(sizeBytes, bytesMax) - 1 };
      const { body } = await engine.file(accountId, id, name, { range });
      return { contentType, sizeBytes, bytes: new Uint8Array(await new Response(body).arrayBuffer()) };
    },
    link: async (id, name, signal) =>
      publicUrl === null ? null : calls.run(link(accountId, id, name, publicUrl), signal),
    schemas: async (limit) => (await library.list(accountId, { limit })).data,
    schema: (id) => library.get(accountId, id),
    balance: async (signal) =>
      (
        await calls.run(
          Accounts.use((accounts) => accounts.get(accountId)),
          signal
        )
      ).balance
  };
};
