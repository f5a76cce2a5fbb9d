/** Texts of the editor of a schema. */

export const schemaWords = {
  question: "Extract values?",
  choices: {
    none: "No, download only",
    saved: "With a saved schema",
    own: "With my own fields",
    auto: "Let the model decide"
  },
  choiceHints: {
    none: "Files and metadata",
    saved: "Yours, or a predefined one",
    own: "List what you want to know",
    auto: "It generates a schema and saves it"
  },
  saved: "Schema",
  choose: "Choose a schema …",
  mine: "Saved by you",
  predefined: "Predefined",
  version: (name: string, version: number) => `${name}, version ${version}`,
  prompt: "Guidance for the model",
  promptHint: "For example: prices in euros, names as they are written",
  editAs: "Edit as",
  asFields: "Fields",
  asText: "JSON Schema",
  text: "JSON Schema",
  textHint: "JSON Schema of an object, at most 100 KB.",
  onlyText: "This schema is too complex for the list of fields, so it is edited as text.",
  syntax: (line: number | null) =>
    line === null ? "This is not valid JSON." : `This is not valid JSON: see line ${line}.`,
  notObject: "The schema must be a JSON object.",
  namesNothing: "This schema names no value, so nothing could be extracted. Add a property.",
  fieldName: "Name",
  fieldType: (name: string) => `Type of ${name === "" ? "the new field" : name}`,
  fieldMeans: (name: string) => `Meaning of ${name === "" ? "the new field" : name}`,
  fieldMeansHint: "What it means (optional)",
  types: {
    text: "Text",
    number: "Number",
    integer: "Whole number",
    boolean: "Yes or no",
    date: "Date",
    texts: "List of texts"
  },
  required: "Required",
  removeField: (name: string) => `Remove ${name === "" ? "this field" : name}`,
  addField: "Add a field",
  repeated: (name: string) => `Two fields are called ${name}. Give each its own name.`
};
