import type { ReactNode } from "react";
import { useKeyboardScroll } from "./use-keyboard-scroll.ts";

interface TablePanelProps {
  /** Names the region; a heading inside may do so instead. */
  readonly label?: string;
  readonly labelledBy?: string;
  readonly children: ReactNode;
}

/** A card whose table scrolls sideways on a small screen; focusable by keyboard while it can scroll. */
export function TablePanel({ label, labelledBy, children }: TablePanelProps) {
  const panel = useKeyboardScroll<HTMLElement>();
  return (
    <section
      ref={panel}
      className="pf-card panel table-scroll"
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {children}
    </section>
  );
}

interface TableHeadProps {
  readonly columns: readonly string[];
  /** Adds a last column of buttons, whose heading only screen readers get. */
  readonly withActions?: boolean;
}

export function TableHead({ columns, withActions }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {withActions && (
          <th scope="col">
            <span className="only-heard">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
