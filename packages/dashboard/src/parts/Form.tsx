/** A form whose answer stays in the page. */
import type { ComponentProps } from "preact";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: () => void;
}

export const Form = ({ onSubmit, ...others }: FormProps) => (
  <form
    {...others}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
