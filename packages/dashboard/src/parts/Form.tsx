/**
 * Buttons and forms that act: not again before the answer, and with what went wrong beside them.
 * Tests: schemas.test.ts, webhooks.test.ts.
 */
import { useMutation } from "@tanstack/preact-query";
import type { ComponentProps } from "preact";
import { words } from "../words/words.ts";
import { Problem } from "./Waiting.tsx";

const useAct = () => useMutation({ mutationFn: async (act: () => unknown) => act() });

interface ActButtonProps<Answer> extends Omit<ComponentProps<"button">, "onClick" | "type"> {
  readonly does: () => Promise<Answer>;
  readonly then?: (answer: Answer) => void;
}

export const ActButton = <Answer,>({ does, then, disabled, ...others }: ActButtonProps<Answer>) => {
  const act = useAct();
  return (
    <>
      <button
        class="button"
        {...others}
        type="button"
        disabled={disabled === true || act.isPending}
        onClick={() =>
          act.mutate(async () => {
            const answer = await does();
            then?.(answer);
          })
        }
      />
      <Problem error={act.error} />
    </>
  );
};

/** What the field, or the pressed button, with this name says, without spaces around it; empty if there is none. */
export type ValueOf = (name: string) => string;

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: (valueOf: ValueOf, form: HTMLFormElement) => unknown;
}

/** A form whose answer stays in the page. */
export const Form = ({ onSubmit, children, ...others }: FormProps) => {
  const act = useAct();
  return (
    <form
      {...others}
      aria-busy={act.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const values = new FormData(form, event.submitter);
        const valueOf: ValueOf = (name) => String(values.get(name) ?? "").trim();
        if (!act.isPending) act.mutate(() => onSubmit(valueOf, form));
      }}
    >
      {children}
      <Problem error={act.error} />
    </form>
  );
};

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
