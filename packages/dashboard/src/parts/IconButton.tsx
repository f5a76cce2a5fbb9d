/** An icon button with a label for screen readers and as tooltip. */
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
