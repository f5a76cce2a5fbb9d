/**
 * Measures real schemas: how many are accepted, whether answers allowed by their projection match them, and whether
 * their values can be expressed.
 *
 *   node bench/real-schemas.ts PATH [--list] [--every N [--from M]]
 *
 * PATH contains one JSON object per line: {name, schema, tests: [{data, valid}]}, as text or with zstd. `--list` names
 * what fails; `--every` takes one line of N, the first
 * of them or the one after M others.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { canonicalJson } from "@winnow/core/domain/text/CanonicalJson";
import { boundsProblem } from "@winnow/core/domain/json-schema/SchemaLimits";
import { checkSchema } from "@winnow/core/domain/json-schema/SchemaRules";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as Result from "effect/Result";
import { coerced } from "../src/model/answer/Coercions.ts";
import { type Projection, project } from "../src/model/projection/Projection.ts";
import { isObject, type Json, type JsonObject } from "../src/model/projection/Shape.ts";
import { type CompiledSchema, compileSchema, isProblem } from "../src/schema-check/CompiledSchema.ts";
import { encode } from "../test/model/projection/Encode.ts";
import { RandomAnswers } from "./randomAnswers.ts";

const ANSWERS_PER_SCHEMA = 3;

/** Further answers to try if the first ones of a projection were all rejected. */
const ANSWERS_MORE = 1_000;

interface Line {
  readonly name: string;
  readonly schema: JsonObject;
  readonly tests: ReadonlyArray<{ readonly data: Json; readonly valid: boolean }>;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" }
  }
});
const [path] = positionals;
if (path === undefined) throw new Error("Name a file: node bench/real-schemas.ts PATH");

const counts = new Map<string, number>();
const count = (what: string, name: string, more = ""): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
  if (values.list && /refused|not taken|not admitted|none taken|differs|equal|unsatisfiable/u.test(what))
    console.log(`${what}: ${name} ${more}`);
};
const of = (what: string): number => counts.get(what) ?? 0;

const checkMs: Array<number> = [];

const compiledOf = ({ name, schema }: Line): CompiledSchema | null => {
  if (!isObject(schema) || Result.isFailure(checkSchema(schema))) {
    count("no object", name);
    return null;
  }
  const startMs = performance.now();
  const problem = boundsProblem(schema);
  const compiled = problem ?? compileSchema(schema);
  checkMs.push(performance.now() - startMs);
  if (!isProblem(compiled)) {
    count("accepted", name);
    return compiled;
  }
  count(
    compiled.reason === "remote_reference" ? "remote" : "refused",
    name,
    `${compiled.reason} ${compiled.path}`
  );
  return null;
};

const isTaken = ({ faultsOf }: CompiledSchema, value: Json): boolean => {
  try {
    return isObject(value) && faultsOf(value).length === 0;
  } catch {
    return false;
  }
};

/** Whether any random answer was accepted. */
const tryAnswers = ({ name }: Line, compiled: CompiledSchema, projection: Projection): boolean => {
  const random = new RandomAnswers(projection.definitions, 1);
  let taken = 0;
  for (let round = 0; round < ANSWERS_PER_SCHEMA; round++) {
    const answer = random.of(projection.schema);
    const value = projection.fromWire(answer);
    if (isTaken(compiled, value)) {
      taken++;
      count("answer taken", name);
    } else if (isTaken(compiled, projection.fromWire(coerced(projection, answer).value))) {
      taken++;
      count("answer coerced", name);
    } else {
      const [first] = compiled.faultsOf(value);
      count("answer not taken", name, `${first?.instancePath} ${first?.keyword} ${first?.message}`);
    }
  }
  if (taken > 0) return true;
  for (let round = 0; round < ANSWERS_MORE; round++) {
    if (isTaken(compiled, projection.fromWire(random.of(projection.schema)))) return true;
  }
  return false;
};

/** Without null members, because a projection may turn absent members into null and vice versa. */
const withoutNulls = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
};

/** The first place where two values differ. */
const differenceOf = (left: Json, right: Json | undefined, at = ""): string => {
  if (right === undefined) return `${at} missing`;
  if (Array.isArray(left) && Array.isArray(right)) {
    const place = left.findIndex(
      (each, index) => canonicalJson(each) !== canonicalJson(right[index] ?? null)
    );
    return place < 0 ? `${at} longer` : differenceOf(left[place] ?? null, right[place], `${at}/${place}`);
  }
  if (isObject(left) && isObject(right)) {
    for (const [name, each] of Object.entries(left)) {
      const other = right[name];
      if (other === undefined || canonicalJson(each) !== canonicalJson(other))
        return differenceOf(each, other, `${at}/${name}`);
    }
    return `${at} more`;
  }
  return `${at} ${JSON.stringify(left).slice(0, 60)} -> ${JSON.stringify(right).slice(0, 60)}`;
};

/** Whether the wire schema allows the value; null if this engine does not support one of its patterns. */
const admitsOf = ({ schema, definitions }: Projection): ((wire: Json) => boolean) | null => {
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    return ajv.compile({ ...schema, $defs: definitions });
  } catch {
    return null;
  }
};

/** Whether any of the schema's valid instances can be expressed in the wire schema and is then accepted. */
const tryInstances = ({ name, tests }: Line, compiled: CompiledSchema, projection: Projection): boolean => {
  let admits: ReturnType<typeof admitsOf> = null;
  let isAnyExpressed = false;
  for (const { data } of tests) {
    if (!isTaken(compiled, data)) continue;
    const wire = encode(projection.grammar, data);
    admits ??= admitsOf(projection);
    const isAdmitted = admits?.(wire) !== false;
    if (!isAdmitted) count("instance not admitted", name);
    const back = projection.fromWire(wire);
    isAnyExpressed ||= isAdmitted && isTaken(compiled, back);
    if (canonicalJson(back) === canonicalJson(data)) count("instance same", name);
    else if (canonicalJson(withoutNulls(back)) === canonicalJson(withoutNulls(data)))
      count("instance equal", name, differenceOf(withoutNulls(data) === data ? data : back, data));
    else
      count(
        "instance differs",
        name,
        `${isTaken(compiled, back) ? "but fits" : ""} ${differenceOf(data, back)}`
      );
  }
  return isAnyExpressed;
};

const file = readFileSync(path);
const texts = (path.endsWith(".zst") ? zstdDecompressSync(file) : file).toString().split("\n");
for (const [number, text] of texts.entries()) {
  // Not with readline, which also splits lines at U+2028.
  if (text === "" || number % Number(values.every) !== Number(values.from)) continue;
  const line = JSON.parse(text) as Line;
  const compiled = compiledOf(line);
  if (compiled === null) continue;
  const projection = project(line.schema, { wants: "object" });
  if (projection.grammar.table.isImpossible) {
    count("unsatisfiable", line.name);
    continue;
  }
  const isAnyTaken = tryAnswers(line, compiled, projection);
  const isAnySaid = tryInstances(line, compiled, projection);
  if (!isAnyTaken) count(isAnySaid ? "by chance none taken" : "none taken", line.name);
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} % of ${whole}`;
const rank = (share: number): number =>
  checkMs.toSorted((a, b) => a - b)[Math.floor(share * (checkMs.length - 1))] ?? 0;

const accepted = of("accepted");
const answers = of("answer taken") + of("answer coerced") + of("answer not taken");
const instances = of("instance same") + of("instance equal") + of("instance differs");
console.log(`accepted, without remote references: ${percent(accepted, accepted + of("refused"))}`);
console.log(`answers of the projection taken at once: ${percent(of("answer taken"), answers)}`);
console.log(`  or coerced: ${percent(of("answer taken") + of("answer coerced"), answers)}`);
console.log(`schemas that nothing conforms to: ${of("unsatisfiable")} of ${accepted}`);
console.log(
  `other projections of which none of ${ANSWERS_MORE} random answers was taken: ${of("none taken") + of("by chance none taken")}; ` +
    `without a value of people's, either: ${of("none taken")}`
);
console.log(`values that come back the same: ${percent(of("instance same"), instances)}`);
console.log(
  `  or equal up to absent = null: ${percent(of("instance same") + of("instance equal"), instances)}`
);
console.log(`  of them not admitted by the wire schema: ${percent(of("instance not admitted"), instances)}`);
console.log(
  `check: p50 ${rank(0.5).toFixed(1)} ms, p99 ${rank(0.99).toFixed(1)} ms, longest ${rank(1).toFixed(0)} ms`
);
console.log(`memory at the end: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`);
