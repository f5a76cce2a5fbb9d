/**
 * How often a model must correct its answer, or fails, because a provider enforces only a part of a schema: through
 * projection, decoding, coercion, the check against the whole schema, and one repair.
 * Run: `node packages/adapters/bench/schemas.ts FILE [every]`; each line of the file has `name`, `schema` and `tests`
 * with `data` and `valid`, as in jsonschemabench.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { isJsonObject } from "@winnow/core/domain/text/Json";
import { meaningProblem } from "@winnow/core/domain/json-schema/SchemaMeaning";
import { checkSchema } from "@winnow/core/domain/json-schema/SchemaRules";
import type { ErrorObject } from "ajv";
import type { Json } from "effect/Schema";
import * as Result from "effect/Result";
import { compileSchema, isProblem } from "../src/schema-check/CompiledSchema.ts";
import { coerced } from "../src/model/answer/Coercions.ts";
import { modelAnswerSchema } from "../src/model/answer/ModelAnswer.ts";
import { isWithinStrictLimits, project } from "../src/model/schema/Projection.ts";
import { copied } from "../test/model/schema/copied.ts";
import { invented, type Told } from "../test/model/schema/invented.ts";

const [file = "", every = "1"] = process.argv.slice(2);

const CLASSES: ReadonlyArray<readonly [string, RegExp]> = [
  ["all", /^/u],
  ["tuples", /"prefixItems":|"items":\[/u],
  ["maps", /"additionalProperties":\{|"patternProperties":|"additionalProperties":true/u],
  ["unions", /"anyOf":|"oneOf":/u]
];

interface Row {
  answers: number;
  extraCalls: number;
  failures: number;
  agree: number;
}
const rows = new Map<string, Row>();
const wires = { schemas: 0, refused: 0, strict: 0, chars: 0, projectMs: 0 };

const count = (text: string, model: string, faults: readonly [boolean, boolean], agrees: boolean): void => {
  for (const [name, words] of CLASSES) {
    if (!words.test(text)) continue;
    const row = rows.get(`${model} ${name}`) ?? { answers: 0, extraCalls: 0, failures: 0, agree: 0 };
    rows.set(`${model} ${name}`, row);
    row.answers++;
    row.extraCalls += Number(faults[0]);
    row.failures += Number(faults[1]);
    row.agree += Number(agrees);
  }
};

const bytes = readFileSync(file);
const lines = (file.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes).toString().trim().split("\n");
/** In the words of the schema worker, as far as the models read them. */
const told = ({ instancePath, message = "", keyword, params }: ErrorObject): Told => {
  const { allowedValues, allowedValue, additionalProperty, unevaluatedProperty } = params;
  const values =
    keyword === "enum" ? allowedValues : [allowedValue ?? additionalProperty ?? unevaluatedProperty];
  const named = values.map((value: unknown) => JSON.stringify(value)).join(", ");
  return { path: instancePath, message: named === "" ? message : `${message}: ${named}` };
};

const failing: Array<string> = [];
for (const [number, line] of lines.entries()) {
  if (number % Number(every) !== 0) continue;
  const { name, schema, tests } = JSON.parse(line);
  const isAccepted =
    isJsonObject(schema) && Result.isSuccess(checkSchema(schema)) && meaningProblem(schema) === null;
  const check = isAccepted ? compileSchema(schema) : null;
  if (check === null || isProblem(check) || check.contradiction !== null) {
    wires.refused++;
    continue;
  }
  const started = performance.now();
  const projection = project(schema, { wants: "object", isGuided: false });
  wires.projectMs += performance.now() - started;
  const answer = modelAnswerSchema(projection);
  wires.schemas++;
  wires.strict += Number(isWithinStrictLimits(answer));
  wires.chars += JSON.stringify(answer).length;
  const text = JSON.stringify(schema);
  const faultsOf = (value: Json): ReadonlyArray<Told> =>
    isJsonObject(value) ? check.faultsOf(value).map(told) : [{ path: "", message: "must be object" }];
  const read = (written: Json): { readonly value: Json; readonly faults: ReadonlyArray<Told> } => {
    const value = projection.fromWire(written);
    const faults = faultsOf(value);
    const other = faults.length === 0 ? value : projection.fromWire(coerced(projection, written).value);
    return faultsOf(other).length === 0 ? { value: other, faults: [] } : { value, faults };
  };
  for (const model of ["honest", "careless"]) {
    for (const seed of ["a", "b"]) {
      const heeds = model === "honest";
      const { faults } = read(invented(projection, heeds, `${name}${seed}`, []));
      const isRepaired =
        faults.length === 0 ||
        read(invented(projection, heeds, `${name}${seed}`, faults)).faults.length === 0;
      count(text, model, [faults.length > 0, !isRepaired], true);
      if (faults.length > 0)
        failing.push(
          [
            name,
            model,
            isRepaired ? "repaired" : "failed",
            ...faults.slice(0, 4).map(({ path, message }) => `${path} ${message}`)
          ].join("\t")
        );
    }
  }
  for (const { data, valid } of tests) {
    if (!valid || !isJsonObject(data) || check.faultsOf(data).length > 0) continue;
    const said = copied(projection, data);
    const { value, faults } = read(said.wire);
    count(
      text,
      "content",
      [faults.length > 0, faults.length > 0],
      said.lost === 0 && isDeepStrictEqual(value, data)
    );
  }
}
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;
console.log(JSON.stringify({ ...wires, projectMs: Math.round(wires.projectMs) }));
for (const [name, { answers, extraCalls, failures, agree }] of rows)
  console.log(
    JSON.stringify({
      model: name,
      answers,
      extraCalls: share(extraCalls, answers),
      failures: share(failures, answers),
      ...(name.startsWith("content") ? { agree: share(agree, answers) } : {})
    })
  );
if (process.env["FAILING"] !== undefined) console.log(failing.join("\n"));
