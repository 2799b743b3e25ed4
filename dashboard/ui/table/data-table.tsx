import { LoadProblem, Skeleton } from "../loaded.tsx";
import { useKeyboardScroll } from "../use-keyboard-scroll.ts";
import { ColumnMenu } from "./column-menu.tsx";
import type { Column } from "./columns.ts";
import { ExportButton } from "./export-button.tsx";
import { useRowKeys } from "./row-keys.ts";
import { SelectBox } from "./select-box.tsx";
import { SortHeading } from "./sort-heading.tsx";
import { type DataTableProps, type RowTable, useRows } from "./use-rows.ts";

/** The table that shows every list of the dashboard. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, columns, rows, filters, toolbar, bulk, readAll, empty, pager } = props;
  const table = useRows(props);
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  const clear = (): void => table.resetRowSelection(true);
  const selects = bulk !== undefined || typeof readAll === "function";
  const hasRows = rows !== undefined && rows.length > 0;
  const readWhole = readAll === "rows" ? () => once(rows ?? []) : readAll;
  return (
    <div className="pf-card data-table">
      {(hasRows || filters || toolbar) && (
        <div className="data-table-bar">
          {selected.length === 0 ? (
            <>
              {filters && <div className="data-table-filters">{filters}</div>}
              <div className="row data-table-tools">
                {toolbar}
                {hasRows && readWhole && <ExportButton name={name} columns={columns} readAll={readWhole} />}
                {hasRows && <ColumnMenu table={table} columns={columns} />}
              </div>
            </>
          ) : (
            <div className="row data-table-selected">
              <strong role="status">{selected.length} selected</strong>
              {readAll && <ExportButton name={name} columns={columns} rows={selected} />}
              {bulk?.(selected, clear)}
              <button type="button" className="pf-btn pf-btn-quiet" onClick={clear}>
                Clear selection
              </button>
            </div>
          )}
        </div>
      )}
      <LoadProblem of={props.of} />
      {rows === undefined && props.of.problem === undefined && <Skeleton />}
      {rows?.length === 0 && <div className="data-table-empty">{empty}</div>}
      {hasRows && <Rows table={table} selects={selects} {...props} />}
      {pager}
    </div>
  );
}

async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

interface RowsProps<Row extends object> extends DataTableProps<Row> {
  readonly table: RowTable<Row>;
  readonly selects: boolean;
}

function Rows<Row extends object>({ label, table, columns, actions, selects }: RowsProps<Row>) {
  const scrolled = useKeyboardScroll<HTMLElement>();
  const body = useRowKeys();
  const shown = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible());
  return (
    <section ref={scrolled} className="table-scroll data-table-rows" aria-label={label}>
      <table className="pf-table">
        <thead>
          <tr>
            {selects && (
              <td className="cell-select">
                <SelectBox
                  label="Select all on this page"
                  isOn={table.getIsAllRowsSelected()}
                  isPart={table.getIsSomeRowsSelected()}
                  onChange={(isOn) => table.toggleAllRowsSelected(isOn)}
                />
              </td>
            )}
            {shown.map((column) => (
              <SortHeading key={column.id} column={column} of={table.getColumn(column.id)} />
            ))}
            {actions && (
              <th scope="col">
                <span className="only-heard">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} aria-selected={selects ? row.getIsSelected() : undefined}>
              {selects && (
                <td className="cell-select">
                  <SelectBox
                    label={`Select ${String(row.getValue(columns[0]?.id ?? ""))}`}
                    isOn={row.getIsSelected()}
                    onChange={(isOn) => row.toggleSelected(isOn)}
                  />
                </td>
              )}
              {shown.map((column, at) => (
                <Cell key={column.id} column={column} row={row.original} isFirst={at === 0} />
              ))}
              {actions && <td className="cell-actions">{actions(row.original)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isFirst: boolean;
}

function Cell<Row>({ column: { name, look, cell, text }, row, isFirst }: CellProps<Row>) {
  const className = look && `cell-${look}`;
  // Names are cut where there is no room for them.
  const tip = look === "name" ? { "data-tip": String(text(row)), "data-tip-cut": true } : {};
  if (isFirst)
    return (
      <th scope="row" className={className} {...tip}>
        {cell(row)}
      </th>
    );
  return (
    <td className={className} data-label={name} {...tip}>
      {cell(row)}
    </td>
  );
}
