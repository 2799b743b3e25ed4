import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { Column } from "./columns.ts";
import type { RowTable } from "./use-rows.ts";

const ORDERS = { asc: "ascending", desc: "descending" } as const;
const MARKS = { asc: ArrowUp, desc: ArrowDown } as const;

interface SortHeadingProps<Row extends object> {
  readonly column: Column<Row>;
  readonly of: ReturnType<RowTable<Row>["getColumn"]>;
}

/**
 * A column's heading: the first press sorts by it, the second reverses the order, the third restores the
 * original order.
 */
export function SortHeading<Row extends object>({ column: { name, look }, of }: SortHeadingProps<Row>) {
  const className = look && `cell-${look}`;
  if (!of?.getCanSort())
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  const order = of.getIsSorted();
  const Mark = order === false ? ChevronsUpDown : MARKS[order];
  return (
    <th scope="col" className={className} aria-sort={order === false ? "none" : ORDERS[order]}>
      <button type="button" className="sort-heading" onClick={() => of.toggleSorting()}>
        {name}
        <Mark aria-hidden="true" className="sort-mark" />
      </button>
    </th>
  );
}
