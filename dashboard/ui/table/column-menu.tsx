import { Columns3 } from "lucide-react";
import { Menu } from "../menu.tsx";
import type { Column } from "./columns.ts";
import type { RowTable } from "./use-rows.ts";

interface ColumnMenuProps<Row extends object> {
  readonly table: RowTable<Row>;
  readonly columns: readonly Column<Row>[];
}

/** Chooses the visible columns; the first one names the row and stays. */
export function ColumnMenu<Row extends object>({ table, columns }: ColumnMenuProps<Row>) {
  return (
    <Menu label="Columns" className="column-menu" button={<Columns3 aria-hidden="true" className="icon" />}>
      <fieldset className="check-group column-choice">
        <legend>Columns</legend>
        {columns.slice(1).map(({ id, name }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              checked={table.getColumn(id)?.getIsVisible() ?? true}
              onChange={(event) => table.getColumn(id)?.toggleVisibility(event.target.checked)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}
