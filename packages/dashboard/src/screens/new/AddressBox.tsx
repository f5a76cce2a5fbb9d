/** The input for the URL, focused when the screen opens. */
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../words/words.ts";
import { isWholeUrl, withScheme } from "./draft.ts";

export interface AddressBoxProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export const AddressBox = ({ value, onChange }: AddressBoxProps) => {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const isFaulty = value.trim() !== "" && !isWholeUrl(withScheme(value)) && /\s|^\w+:/u.test(value.trim());
  return (
    <div class="panel stack tight">
      <label for="address">{words.address.label}</label>
      <input
        ref={box}
        id="address"
        class="address"
        type="text"
        inputMode="url"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        required
        placeholder="https://"
        value={value}
        aria-invalid={isFaulty ? true : undefined}
        aria-describedby="address-hint"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <p id="address-hint" class={isFaulty ? "fault" : "hint"}>
        {isFaulty ? words.address.fault : words.address.hint}
      </p>
    </div>
  );
};
