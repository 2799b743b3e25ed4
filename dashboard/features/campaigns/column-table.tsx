import { variableOf } from "@parley/shared/contracts/target-table.ts";
import { TableHead } from "../../ui/table-panel.tsx";
import type { Table, Use } from "./read-table.ts";

interface ColumnTableProps {
  readonly table: Table;
  readonly uses: Readonly<Record<string, Use>>;
  readonly onUses: (uses: Readonly<Record<string, Use>>) => void;
}

/** Only one column can be used as these. */
const SINGLE: ReadonlySet<Use> = new Set(["phone", "timezone"]);

/** What becomes of each column of a table, with the first value of each. */
export function ColumnTable({ table: { names, rows }, uses, onUses }: ColumnTableProps) {
  const choose = (column: string, use: Use): void => {
    const others = Object.entries(uses).map(([name, other]): [string, Use] => [
      name,
      other === use && SINGLE.has(use) ? "variable" : other,
    ]);
    onUses({ ...Object.fromEntries(others), [column]: use });
  };
  return (
    <div className="table-scroll campaign-columns">
      <table className="pf-table">
        <TableHead columns={["Column", "First value", "Used as"]} />
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="campaign-cell">{rows.find((row) => (row[name] ?? "") !== "")?.[name] ?? "–"}</td>
              <td>
                <select
                  className="pf-select"
                  aria-label={`Use ${name} as`}
                  value={uses[name]}
                  onChange={({ target }) => choose(name, target.value as Use)}
                >
                  <option value="phone">Number</option>
                  <option value="timezone">Time zone</option>
                  <option value="variable">Variable {variableOf(name)}</option>
                  <option value="none">Nothing</option>
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pf-muted">{rows.length === 1 ? "1 row" : `${rows.length} rows`}</p>
    </div>
  );
}
