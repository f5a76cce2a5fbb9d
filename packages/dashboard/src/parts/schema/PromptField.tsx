/** What the model is told beside a schema. Tests: schemas.test.ts. */
import { words } from "../../words/words.ts";
import { schemaWords } from "./words.ts";

interface PromptFieldProps {
  readonly value: string;
  readonly onChange: (prompt: string) => void;
}

export const PromptField = ({ value, onChange }: PromptFieldProps) => (
  <label class="stack tight">
    <span>
      {schemaWords.prompt} <span class="hint">({words.optional})</span>
    </span>
    <textarea
      rows={2}
      value={value}
      placeholder={schemaWords.promptHint}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  </label>
);
