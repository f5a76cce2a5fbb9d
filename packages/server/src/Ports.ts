/** All ports of the engine and the API: those of a database, and single ones. Tests: database.test.ts. */
import { Analyst } from "@winnow/core/ports/Analyst";
import { ArtifactStore } from "@winnow/core/ports/ArtifactStore";
import { Downloader } from "@winnow/core/ports/Downloader";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import { RateLimits } from "@winnow/core/ports/RateLimits";
import { RunFeed } from "@winnow/core/ports/RunFeed";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import { SchemaLibrary } from "@winnow/core/ports/SchemaLibrary";
import { Sessions } from "@winnow/core/ports/Sessions";
import { Store } from "@winnow/core/ports/Store";
import { WebhookEndpoints } from "@winnow/core/ports/WebhookEndpoints";
import { WebhookOutbox } from "@winnow/core/ports/WebhookOutbox";
import { WebhookTransport } from "@winnow/core/ports/WebhookTransport";
import type * as Context from "effect/Context";

/** Backed by PostgreSQL by default, sharing accounts, ids and transactions. */
export const DATABASE_PORTS = {
  Store,
  JobQueue,
  SchemaLibrary,
  WebhookEndpoints,
  WebhookOutbox,
  Sessions,
  RateLimits,
  RunFeed
} as const;

/** Independent of each other. */
export const SINGLE_PORTS = { Downloader, Analyst, ArtifactStore, SchemaChecker, WebhookTransport } as const;

/** Whether the context has its own service of the tag; defaults do not count. */
export const has = (context: Context.Context<never>, { key }: { readonly key: string }): boolean =>
  context.mapUnsafe.has(key);

type PortsIn<Group> = Context.Service.Identifier<Group[keyof Group]>;

export type DatabasePorts = PortsIn<typeof DATABASE_PORTS>;

export type Ports = DatabasePorts | PortsIn<typeof SINGLE_PORTS>;
