/** Buttons of which one is pressed. Tests: schemas.test.ts. */

interface TabsProps<Value> {
  readonly label: string;
  readonly tabs: ReadonlyArray<readonly [value: Value, name: string]>;
  readonly shown: Value;
  readonly onShow: (value: Value) => void;
  /** What cannot be shown now. */
  readonly missing?: Value | undefined;
}

export const Tabs = <Value extends string | number>({
  label,
  tabs,
  shown,
  onShow,
  missing
}: TabsProps<Value>) => (
  <div class="tabs" role="group" aria-label={label}>
    {tabs.map(([value, name]) => (
      <button
        key={value}
        class="button small"
        type="button"
        aria-pressed={value === shown}
        disabled={value === missing}
        onClick={() => onShow(value)}
      >
        {name}
      </button>
    ))}
  </div>
);
