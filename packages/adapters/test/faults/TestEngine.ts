/**
 * The engine with the real adapters for money, slots and files. The child processes and the test that watches them
 * each build one, on the same database and folder.
 */
import * as Accounts from "@winnow/core/engine/accounts/Accounts";
import * as CommitHook from "@winnow/core/engine/CommitHook";
import * as Extractions from "@winnow/core/engine/extractions/Extractions";
import * as Worker from "@winnow/core/engine/runs/Worker";
import * as WebhookDispatcher from "@winnow/core/engine/webhooks/WebhookDispatcher";
import * as Webhooks from "@winnow/core/engine/webhooks/Webhooks";
import { bookOf, plansFrom } from "@winnow/core/domain/money/Plan";
import * as NoAnalyst from "@winnow/core/memory/NoAnalyst";
import type { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import type { Downloader } from "@winnow/core/ports/Downloader";
import { fixedPlans, Plans } from "@winnow/core/ports/Plans";
import type { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import * as FakeSchemaChecker from "@winnow/testing/fakes/FakeSchemaChecker";
import * as FakeWebhookTransport from "@winnow/testing/fakes/FakeWebhookTransport";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as References from "effect/References";
import * as FileArtifacts from "../../src/storage/files/FileArtifacts.ts";
import * as PgJobQueue from "../../src/database/queue/PgJobQueue.ts";
import * as PgConnection from "../../src/database/store/PgConnection.ts";
import * as PgRunFeed from "../../src/database/store/PgRunFeed.ts";
import * as PgSchemaLibrary from "../../src/database/store/PgSchemaLibrary.ts";
import * as PgStore from "../../src/database/store/PgStore.ts";
import * as PgWebhookEndpoints from "../../src/database/store/PgWebhookEndpoints.ts";
import * as PgWebhookOutbox from "../../src/database/store/PgWebhookOutbox.ts";

/** Up to five engines run at once; the test server's 300 connections are for all files. */
const CONNECTIONS_MAX = 8;

/** Where an engine works, in a form that fits into the environment of a child process. */
export interface Workplace {
  readonly databaseUrl: string;
  /**
   * Another URL of the same database. Children use it, so that the server can tell their connections from the
   * test's.
   */
  readonly tcpUrl: string;
  readonly artifactsFolder: string;
  /** A bucket for the files of children, instead of the folder. */
  readonly bucketUrl?: string;
}

export const environmentOf = ({
  tcpUrl,
  artifactsFolder,
  bucketUrl = ""
}: Workplace): Record<string, string> => ({
  TEST_DATABASE_URL: tcpUrl,
  TEST_ARTIFACTS: artifactsFolder,
  TEST_BUCKET: bucketUrl
});

export const workplaceOf = (env: NodeJS.ProcessEnv): Workplace => {
  const { TEST_DATABASE_URL: databaseUrl = "", TEST_ARTIFACTS: artifactsFolder = "" } = env;
  return { databaseUrl, tcpUrl: databaseUrl, artifactsFolder };
};

/** `premium` costs more than the plan `default`. */
export const PREMIUM_RUN_CREDITS = 90;
const plans = Layer.succeed(
  Plans,
  fixedPlans(bookOf(plansFrom({ premium: { prices: { baseCredits: PREMIUM_RUN_CREDITS } } })))
);

/** Ends a child process with its parent, even if the parent is killed. */
export const endWithParent = (): void => {
  process.stdin.on("end", () => process.exit(1)).resume();
};

/** Logs of a child process, whose standard output is for its results. */
export const childLogging = Layer.merge(
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Warn")
);

export const layer = (
  { databaseUrl, artifactsFolder }: Workplace,
  downloader: Layer.Layer<Downloader>,
  artifacts: Layer.Layer<ArtifactStore> = FileArtifacts.layer({ directory: artifactsFolder }),
  webhooks: Layer.Layer<WebhookTransport> = FakeWebhookTransport.layer,
  queue: PgJobQueue.JobQueueOptions = {}
) => {
  const url = Redacted.make(databaseUrl);
  const ports = Layer.mergeAll(
    PgStore.layer,
    PgRunFeed.layer,
    PgSchemaLibrary.layer,
    PgWebhookEndpoints.layer,
    PgWebhookOutbox.layer,
    webhooks,
    artifacts,
    downloader,
    FakeSchemaChecker.layer(),
    NoAnalyst.layer
  ).pipe(
    Layer.provideMerge(PgJobQueue.layer(queue)),
    Layer.provideMerge(PgConnection.layer({ url, connectionsMax: CONNECTIONS_MAX }))
  );
  return Layer.mergeAll(Accounts.layer, Extractions.layer, Worker.layer, Webhooks.layer).pipe(
    Layer.provide(CommitHook.layer),
    Layer.provideMerge(WebhookDispatcher.layer),
    Layer.provideMerge(ports),
    Layer.provide(plans)
  );
};
