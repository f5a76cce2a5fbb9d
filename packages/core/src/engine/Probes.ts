/**
 * Looks at a URL and quotes what submitting the same body would debit. Free; writes nothing.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { price, type Price } from "../domain/Pricing.ts";
import { ContentUnavailable, ContentUnreachable } from "../domain/Refusal.ts";
import { pricedSelection } from "../domain/Rungs.ts";
import { pricedFacts } from "../domain/SourceFacts.ts";
import { readProbe, type BodyRefused } from "../domain/SubmitBody.ts";
import { enginePorts, type EnginePorts } from "./EnginePorts.ts";
import { findReuse } from "./Reuse.ts";
import { look, type Unseen } from "./SourceLook.ts";

/** Wire shape of the specification's "Probe response", with the additive `cached`. */
export interface Probe {
  /** As submitted. */
  readonly url: string;
  /** Null for anything but videos, and where the source hides it. */
  readonly durationSec: number | null;
  readonly title: string | null;
  readonly hasSubtitles: boolean;
  readonly hasComments: boolean;
  readonly imageCount: number;
  readonly price: Price;
  /** A submit of this body would be served from the cache. */
  readonly cached: boolean;
}

export type ProbeRefused = BodyRefused | ContentUnavailable | ContentUnreachable;

export class Probes extends Context.Service<
  Probes,
  {
    readonly probe: (accountId: string, body: unknown) => Effect.Effect<Probe, ProbeRefused>;
  }
>()("@winnow/core/engine/Probes") {}

/** Whether looking again later can help: those that cannot are permanent (422), the others are not (502). */
const isPermanent = (reason: Unseen["reason"]): boolean =>
  [
    "private",
    "removed",
    "login_required",
    "age_restricted",
    "geo_restricted",
    "drm",
    "blocked_address",
    "too_large"
  ].includes(reason);

const unseen = ({ reason, message }: Unseen): ContentUnavailable | ContentUnreachable =>
  isPermanent(reason)
    ? new ContentUnavailable({ reason, message })
    : new ContentUnreachable({ reason, message });

const make = Effect.gen(function* () {
  const ports = yield* enginePorts;

  return Probes.of({
    probe: Effect.fn("Probes.probe")(function* (accountId, body) {
      const request = yield* Effect.fromResult(readProbe(body));
      const facts = yield* Effect.catchTags(look(request.normalizedUrl), {
        DownloadFailed: (failure) => Effect.fail(unseen(failure))
      });
      const priced = pricedFacts(facts);
      const selection = yield* Effect.fromResult(pricedSelection(priced, request));
      return {
        url: request.url,
        durationSec: priced.durationMs === null ? null : facts.durationSeconds,
        title: facts.title,
        hasSubtitles: facts.hasSubtitles,
        hasComments: facts.hasComments,
        imageCount: priced.imageCount,
        price: price(priced, selection),
        cached: (yield* findReuse(accountId, request)) !== null
      };
    }, Effect.provide(ports))
  });
});

export const layer: Layer.Layer<Probes, never, EnginePorts> = Layer.effect(Probes, make);
