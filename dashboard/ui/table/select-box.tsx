import { useLayoutEffect, useRef } from "react";

interface SelectBoxProps {
  readonly label: string;
  readonly isOn: boolean;
  /** Only part of the rows it covers is selected. */
  readonly isPart?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Selects a row, or all rows. */
export function SelectBox({ label, isOn, isPart = false, onChange }: SelectBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isPart && !isOn;
  }, [isPart, isOn]);
  return (
    <label className="select-box">
      <span className="only-heard">{label}</span>
      <input ref={box} type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    </label>
  );
}
