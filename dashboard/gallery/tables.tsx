import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { FilterBar, SelectFilter, TextFilter } from "../ui/table/filters.tsx";
import { ListSection } from "../ui/table/list-section.tsx";
import { OffsetPager } from "../ui/table/pager.tsx";
import { loaded, loading, refused } from "./loads.ts";
import { Specimen, SpecimenGroup } from "./specimen.tsx";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly calls: number;
  readonly about: string;
}

const ROWS: readonly Row[] = [
  { id: "1", name: "Anna", calls: 1_204, about: "Answers the front desk of both shops." },
  { id: "2", name: "Berta", calls: 7, about: "Renewals." },
];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "name",
    name: "Name",
    sorts: true,
    text: ({ name }) => name,
    cell: ({ name }) => <a href="#page">{name}</a>,
  },
  { id: "about", name: "About", look: "long", text: ({ about }) => about, cell: ({ about }) => about },
  {
    id: "calls",
    name: "Calls",
    look: "number",
    sorts: true,
    text: ({ calls }) => calls,
    cell: ({ calls }) => calls.toLocaleString("en-US"),
  },
];

const table = {
  name: "gallery",
  label: "List of agents",
  columns: COLUMNS,
  rowId: ({ id }: Row) => id,
  empty: <p>No agents yet.</p>,
};

/** Lists with rows, without, and on their way. */
export function TableSpecimens() {
  return (
    <SpecimenGroup title="Tables">
      <Specimen name="table with everything">
        <ListSection title="Agents" lead="Who answers.">
          <DataTable
            {...table}
            rows={ROWS}
            of={loaded}
            readAll={() => [ROWS][Symbol.iterator]() as never}
            filters={
              <FilterBar>
                <TextFilter label="Name or ID" name="search" />
                <SelectFilter label="Status" name="status" options={[["on", "On"]]} />
              </FilterBar>
            }
            actions={({ name }) => (
              <button type="button" className="pf-btn">
                Remove<span className="only-heard"> {name}</span>
              </button>
            )}
            pager={<OffsetPager pageSize={1} total={2} />}
          />
        </ListSection>
      </Specimen>
      <Specimen name="table without rows">
        <DataTable {...table} label="Empty list" rows={[]} of={loaded} />
      </Specimen>
      <Specimen name="table on its way">
        <DataTable {...table} label="List on its way" rows={undefined} of={loading} />
      </Specimen>
      <Specimen name="table that failed">
        <DataTable {...table} label="List that failed" rows={undefined} of={refused} />
      </Specimen>
    </SpecimenGroup>
  );
}
