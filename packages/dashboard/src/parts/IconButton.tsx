/** A button that is a sign, with the word for those who hear it or hover over it. */
import { Icon, type IconName } from "./Icon.tsx";

export interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
}

export const IconButton = ({ icon, label, onClick, isDisabled = false }: IconButtonProps) => (
  <button class="button icon-only quiet" type="button" title={label} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} />
    <span class="sr">{label}</span>
  </button>
);
