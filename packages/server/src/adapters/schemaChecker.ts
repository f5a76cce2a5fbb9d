/** The checker of callers' schemas, in sandboxed processes. */
import * as WorkerSchemaChecker from "@winnow/adapters/schema-check/WorkerSchemaChecker";
import type { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import * as Layer from "effect/Layer";
import type { Settings } from "../settings/Config.ts";
import { told } from "../settings/SettingRow.ts";
import { notStarted } from "../settings/StartFailed.ts";
import { SETTINGS } from "../settings/SettingsTable.ts";

export const schemaChecker = ({ sandbox }: Settings) =>
  WorkerSchemaChecker.layerWith({ sandbox }).pipe(
    Layer.catchTag("SandboxMissing", ({ message }) =>
      notStarted<SchemaChecker>(told`${SETTINGS.sandbox}: ${message}`)
    )
  );
