import { Columns3 } from "lucide-react";
import { Menu, MenuCheck, MenuGroup } from "../menu.tsx";
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
      <MenuGroup name="Columns">
        {columns.slice(1).map(({ id, name }) => (
          <MenuCheck
            key={id}
            isOn={table.getColumn(id)?.getIsVisible() ?? true}
            onChange={(isOn) => table.getColumn(id)?.toggleVisibility(isOn)}
          >
            {name}
          </MenuCheck>
        ))}
      </MenuGroup>
    </Menu>
  );
}
