/** An engine with in-memory ports, and steps shared by its tests. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { Failed } from "../../src/domain/source/Failed.ts";
import { absentOf, requestedParts } from "../../src/domain/run/Availability.ts";
import type { Extraction } from "../../src/domain/run/Extraction.ts";
import { resultView } from "../../src/domain/result/ResultView.ts";
import * as AccountsModule from "../../src/engine/accounts/Accounts.ts";
import * as CommitHook from "../../src/engine/CommitHook.ts";
import {
  ENGINE_DEFAULTS,
  EngineSettings,
  type EngineSettingsShape
} from "../../src/engine/EngineSettings.ts";
import * as ExtractionsModule from "../../src/engine/extractions/Extractions.ts";
import * as ProbesModule from "../../src/engine/extractions/Probes.ts";
import * as RunsModule from "../../src/engine/runs/Runs.ts";
import * as WorkerModule from "../../src/engine/runs/Worker.ts";
import * as SchemasModule from "../../src/engine/accounts/Schemas.ts";
import * as WebhookDispatcher from "../../src/engine/webhooks/WebhookDispatcher.ts";
import * as WebhooksModule from "../../src/engine/webhooks/Webhooks.ts";
import * as MemoryArtifacts from "../../src/memory/MemoryArtifacts.ts";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemoryRunFeed from "../../src/memory/MemoryRunFeed.ts";
import * as MemorySchemaLibrary from "../../src/memory/MemorySchemaLibrary.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import * as NoAnalyst from "../../src/memory/NoAnalyst.ts";
import type { Analyst } from "../../src/ports/Analyst.ts";
import type { SchemaChecker } from "../../src/ports/SchemaChecker.ts";
import { Store } from "../../src/ports/Store.ts";
export { assertLaws } from "@winnow/testing/samples/accountLaws";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import * as FakeDownloader from "@winnow/testing/fakes/FakeDownloader";
import * as FakeWebhookTransport from "@winnow/testing/fakes/FakeWebhookTransport";
import { sampleFacts } from "@winnow/testing/samples/samples";
import { patientClock } from "./PatientClock.ts";
import { plansFrom, type PlansGiven } from "../../src/domain/money/Plan.ts";
import { Plans, replaceablePlans, type ReplaceablePlans } from "../../src/ports/Plans.ts";

export const VIDEO = "https://example.com/watch/talk";
export const CAROUSEL = "https://example.com/p/slides";
export const ARTICLE = "https://example.com/article";
export const UNSEEN = "https://example.com/unseen";

/** 213 s with subtitles and without comments; 7 slides with comments; an article. */
export const SOURCES = {
  [VIDEO]: { facts: sampleFacts({ durationSeconds: 213 }) },
  [CAROUSEL]: {
    facts: sampleFacts({
      kind: "photos",
      imageCount: 7,
      durationSeconds: 15,
      hasSubtitles: false,
      hasComments: true
    })
  },
  [ARTICLE]: { facts: sampleFacts({ kind: "webpage", durationSeconds: null, hasSubtitles: false }) }
} satisfies Record<string, FakeDownloader.FakeSource>;

export interface WorldOptions {
  readonly sources?: Readonly<Record<string, FakeDownloader.FakeSource | Failed>>;
  readonly settings?: Partial<EngineSettingsShape>;
  /** The operator's plans; `ReplaceablePlans` if the test changes them. */
  readonly plans?: PlansGiven | ReplaceablePlans;
  readonly analyst?: Layer.Layer<Analyst>;
  /** By default every schema and every value is accepted. */
  readonly schemaChecker?: Layer.Layer<SchemaChecker>;
}

const isReplaceable = (plans: PlansGiven | ReplaceablePlans): plans is ReplaceablePlans =>
  typeof plans["replace"] === "function";

const plansLayer = (plans: PlansGiven | ReplaceablePlans) =>
  Layer.succeed(Plans, isReplaceable(plans) ? plans : replaceablePlans(plansFrom(plans)));

/** Only the ports, with a controllable clock, so that a test can build two engines on them. */
export const ports = ({
  sources = SOURCES,
  plans = {},
  analyst = NoAnalyst.layer,
  schemaChecker = FakeSchemaChecker.layer()
}: WorldOptions = {}) =>
  Layer.mergeAll(
    Layer.provideMerge(MemorySchemaLibrary.layer, MemoryStore.layer).pipe(
      Layer.provideMerge(MemoryJobQueue.layer)
    ),
    Layer.provide(MemoryArtifacts.layer, NodeFileSystem.layer),
    FakeDownloader.layer(sources),
    FakeWebhookTransport.layer,
    MemoryRunFeed.layer,
    schemaChecker,
    analyst
  ).pipe(Layer.provideMerge(plansLayer(plans)), Layer.provideMerge(patientClock()));

export const engine = (settings: Partial<EngineSettingsShape> = {}) =>
  Layer.mergeAll(
    AccountsModule.layer,
    ExtractionsModule.layer,
    ProbesModule.layer,
    RunsModule.layer,
    WorkerModule.layer,
    SchemasModule.layer,
    WebhooksModule.layer
  ).pipe(
    Layer.provide(CommitHook.layer),
    Layer.provideMerge(WebhookDispatcher.layer),
    Layer.provide(Layer.succeed(EngineSettings, { ...ENGINE_DEFAULTS, ...settings }))
  );

export const world = (options: WorldOptions = {}) =>
  Layer.provideMerge(engine(options.settings), ports(options));

/** Default credits of a new account. */
const OPENING_CREDITS = 10_000;

/** A new account with credits and an empty ledger. */
export const openAccount = Effect.fnUntraced(function* (balance = OPENING_CREDITS) {
  const { id } = yield* AccountsModule.Accounts.use((accounts) => accounts.create("Tester"));
  const store = yield* Store;
  const account = Option.getOrThrow(yield* store.getAccount(id));
  if (balance > 0) yield* AccountsModule.Accounts.use((accounts) => accounts.topUp(id, balance));
  return account.id;
});

/** Bonus of the first top-up. */
export const BONUS = 1_000;

/** The balance after {@link openAccount}. */
export const OPENING_BALANCE = OPENING_CREDITS + BONUS;

export { DAY_MS } from "../../src/domain/Durations.ts";

export const submit = (accountId: string, body: unknown, key: string | null = null) =>
  ExtractionsModule.Extractions.use((extractions) => extractions.submit(accountId, body, key));

export const read = (accountId: string, id: string) =>
  ExtractionsModule.Extractions.use((extractions) => extractions.get(accountId, id));

export const probe = (accountId: string, body: unknown) =>
  ProbesModule.Probes.use((probes) => probes.probe(accountId, body));

export const execute = ({ accountId, id }: Pick<Extraction, "accountId" | "id">) =>
  WorkerModule.Worker.use((worker) => worker.execute({ accountId, extractionId: id, traceparent: null }));

const absentIn = ({ request, result }: Extraction) =>
  result === null
    ? []
    : absentOf(result.facts.kind, requestedParts(request, result.rung), result.coverage.parts);

/** Submits and executes a run; returns the ended extraction, what it lacks and the warnings of its result. */
export const runToEnd = Effect.fnUntraced(function* (accountId: string, body: unknown) {
  const { extraction } = yield* submit(accountId, body);
  yield* execute(extraction);
  const done = yield* read(accountId, extraction.id);
  const view = resultView(done, "https://winnow.example");
  return { ...done, absent: absentIn(done), warnings: "warnings" in view ? view.warnings : [] };
});

export const balanceOf = Effect.fnUntraced(function* (accountId: string) {
  const account = yield* AccountsModule.Accounts.use((accounts) => accounts.get(accountId));
  return account.balance;
});
