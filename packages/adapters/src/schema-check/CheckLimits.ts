/** Limits of validation; for schemas' own, see domain/json-schema/SchemaLimits. Tests: WorkerSchemaChecker.test.ts. */

/** Processor time of one check; terminating it takes a moment too, and no schema or value may take over 2 s. */
export const CHECK_PROCESSOR_MS = 1_800;

/** Memory of one worker outside its heap: the JSON of a schema and a value. */
export const CHECKER_BUFFERS_MB = 64;

/** JSON of one result in bytes: a few faults. */
export const CHECK_ANSWER_BYTES_MAX = 1_000_000;

/** Compiled schemas that one worker keeps, the last used; one of 100 KB takes about 5 MB. */
export const COMPILED_MAX = 20;

/** Texts and keys of a value together, in UTF-16 code units: longer than any answer of a model. */
export const VALUE_CHARS_MAX = 2_000_000;

/** JSON values in a value. */
const VALUE_NODES_MAX = 100_000;

/** Levels of a value: validators recurse at each. */
const VALUE_DEPTH_MAX = 200;

/** These three limits, as `brokenBound` takes them. */
export const VALUE_BOUNDS = {
  depthMax: VALUE_DEPTH_MAX,
  nodesMax: VALUE_NODES_MAX,
  charsMax: VALUE_CHARS_MAX
};

/** Errors counted per value before counting stops; a few of them are reported. */
export const FAULTS_COUNTED_MAX = 1_000;

/** Longest message of one fault in characters: names in it come from the schema. */
export const FAULT_MESSAGE_CHARS_MAX = 300;
