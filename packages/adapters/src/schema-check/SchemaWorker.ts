/** Entry point of a worker process: checks a schema, or a value against one. Without Effect. Tests: WorkerSchemaChecker.test.ts. */
import { jsonFrame, jsonOf } from "@winnow/isolation/process/Frames";
import { serveTasks } from "@winnow/isolation/process/serveTasks";
import { verdictOn, verdictOnSchema } from "./SchemaVerdict.ts";

export interface SchemaTask {
  /** JSON. */
  readonly schema: string;
  /** JSON; null to check the schema alone. */
  readonly value: string | null;
  readonly faultsMax: number;
}

serveTasks((task) => {
  const { schema, value, faultsMax } = jsonOf(task) as SchemaTask;
  return jsonFrame(
    value === null ? verdictOnSchema(schema) : verdictOn(schema, JSON.parse(value), faultsMax)
  );
});
