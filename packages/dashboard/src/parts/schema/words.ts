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
  promptHint: "For example: metric units, names as they are written",
  editAs: "Edit as",
  asFields: "Fields",
  asText: "JSON Schema",
  text: "JSON Schema",
  textHint: "JSON Schema of an object, at most 100 KB.",
  onlyText: (keyword: string, path: string) =>
    `The fields cannot show “${keyword}” of ${path === "" ? "the schema" : `“${path}”`}, so it is edited as JSON.`,
  syntax: (line: number | null) =>
    line === null ? "This is not valid JSON." : `This is not valid JSON: see line ${line}.`,
  notObject: "The schema must be a JSON object.",
  namesNothing: "This schema names no value, so nothing could be extracted. Add a property.",
  fieldName: "Name",
  fieldType: (name: string) => `Type of ${name === "" ? "the new field" : name}`,
  fieldMeans: (name: string) => `Meaning of ${name === "" ? "the new field" : name}`,
  fieldMeansHint: "Meaning (optional)",
  fieldTypeHead: "Type",
  fieldMeansHead: "What it means",
  types: {
    text: "Text",
    number: "Number",
    integer: "Whole number",
    boolean: "Yes or no",
    date: "Date",
    choice: "Choice",
    group: "Group",
    texts: "List of texts",
    numbers: "List of numbers",
    integers: "List of whole numbers",
    booleans: "List of yes or no",
    dates: "List of dates",
    choices: "List of choices",
    groups: "List of groups"
  },
  missable: "May be missing",
  missableHint: "The value is null if the source does not have it.",
  choicesOf: (name: string) => `Choices of ${name === "" ? "the new field" : name}, one per line`,
  choicesHint: "Choices, one per line",
  fieldsOf: (name: string) => `Fields of ${name === "" ? "the new group" : name}`,
  moveUp: (name: string) => `Move ${name === "" ? "this field" : name} up`,
  moveDown: (name: string) => `Move ${name === "" ? "this field" : name} down`,
  addToGroup: "Add a field to the group",
  removeField: (name: string) => `Remove ${name === "" ? "this field" : name}`,
  addField: "Add a field",
  repeated: (name: string) => `Two fields are called ${name}. Give each its own name.`
};
