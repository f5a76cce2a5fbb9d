export const object = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false
});
export const text = (description) => ({ type: "string", description });
export const orNull = (type, description) => ({
  type: [type, "null"],
  description
});
export const date = (description) => ({ type: "string", format: "date", description });
export const paragraphs = (...lines) => lines.join("\n\n");
