import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

/** A table column. The first one names its row, so it always shows. */
export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** The cell as text, for files and sorting; numbers sort as numbers. */
  readonly text: (row: Row) => string | number;
  /**
   * `number` aligns at the end, `long` may take two lines, `name` is truncated, `plain` needs no label on a
   * phone. `folded` stands in another column's cell on a small laptop: in what has `data-fold` there.
   */
  readonly look?: "number" | "long" | "name" | "plain" | "folded";
  /** Sortable; only for lists that are loaded whole. */
  readonly sorts?: boolean;
}

export const FEATURES = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Converts columns to the table library's definitions. */
export function definitionsOf<Row extends object>(
  columns: readonly Column<Row>[],
): ColumnDef<typeof FEATURES, Row>[] {
  return columns.map(({ id, text, sorts = false }) => ({
    id,
    accessorFn: text,
    enableSorting: sorts,
    sortFn: (one, other) => compare(one.getValue(id), other.getValue(id)),
  }));
}

function compare(one: unknown, other: unknown): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(String(one), String(other));
}
