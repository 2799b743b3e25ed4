import { useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo, useState } from "react";
import type { Data } from "../../api/use-data.ts";
import { useSearchParams } from "../use-search-params.ts";
import { type Column, definitionsOf, FEATURES } from "./columns.ts";
import type { ReadAll } from "./export-button.tsx";
import { hiddenColumns, keepHidden } from "./kept-columns.ts";

export interface DataTableProps<Row extends object> {
  /** Name for this kind of list, used to remember columns and to name files. */
  readonly name: string;
  readonly label: string;
  /** A new array re-sorts the rows: define it at module level, or memoize it for long lists. */
  readonly columns: readonly Column<Row>[];
  /** Undefined until loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Loading state of the rows. */
  readonly of: Omit<Data<unknown>, "data">;
  readonly rowId: (row: Row) => string;
  /** The list's filters. */
  readonly filters?: ReactNode;
  /** Buttons next to the table's own. */
  readonly toolbar?: ReactNode;
  /** Actions on selected rows; absent: selection only serves the export. */
  readonly bulk?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Buttons at the end of a row. */
  readonly actions?: (row: Row) => ReactNode;
  /**
   * Reads the whole list for export; `rows` if they are all of it already. Absent: no export, and no selection for it.
   */
  readonly readAll?: ReadAll<Row> | "rows";
  /** Shown instead of rows when there are none. */
  readonly empty: ReactNode;
  /** Navigation to other pages. */
  readonly pager?: ReactNode;
}

const NO_ROWS: readonly never[] = [];

/** A table's rows, with the columns this browser shows and the order from the page's address. */
export function useRows<Row extends object>({ name, columns, rows, rowId }: DataTableProps<Row>) {
  const definitions = useMemo(() => definitionsOf(columns), [columns]);
  const [hidden, setHidden] = useState(() => hiddenColumns(name));
  const [params, setParams] = useSearchParams();
  const sorted = params.get("sort") ?? "";
  const id = sorted.replace(/^-/, "");
  const sorting = columns.some((column) => column.sorts && column.id === id)
    ? [{ id, desc: sorted.startsWith("-") }]
    : [];
  return useTable({
    features: FEATURES,
    columns: definitions,
    data: rows ?? NO_ROWS,
    getRowId: rowId,
    state: { columnVisibility: hidden, sorting },
    enableMultiSort: false,
    onColumnVisibilityChange: (change) => {
      const next = typeof change === "function" ? change(hidden) : change;
      keepHidden(name, next);
      setHidden(next);
    },
    onSortingChange: (change) => {
      const [first] = typeof change === "function" ? change(sorting) : change;
      setParams((now) => {
        const after = new URLSearchParams(now);
        if (first) after.set("sort", `${first.desc ? "-" : ""}${first.id}`);
        else after.delete("sort");
        return after;
      });
    },
  });
}

export type RowTable<Row extends object> = ReturnType<typeof useRows<Row>>;
