/** A form whose answer stays in the page, and its fields. */
import type { ComponentProps } from "preact";
import { words } from "../words/words.ts";

/** What the field, or the pressed button, with this name says, without spaces around it; empty if there is none. */
export type ValueOf = (name: string) => string;

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: (valueOf: ValueOf, form: HTMLFormElement) => void;
}

export const Form = ({ onSubmit, ...others }: FormProps) => (
  <form
    {...others}
    onSubmit={(event) => {
      event.preventDefault();
      const values = new FormData(event.currentTarget, event.submitter);
      onSubmit((name) => String(values.get(name) ?? "").trim(), event.currentTarget);
    }}
  />
);

interface FieldProps extends Omit<ComponentProps<"input">, "label"> {
  readonly label: string;
}

/** One line of text with its label above; what is not required is optional. */
export const Field = ({ label, required = false, ...input }: FieldProps) => (
  <label class="stack tight">
    {required ? (
      label
    ) : (
      <span>
        {label} <span class="hint">({words.optional})</span>
      </span>
    )}
    <input required={required} {...input} />
  </label>
);
