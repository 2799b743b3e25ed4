import { Download } from "lucide-react";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { saveFile } from "../save-file.ts";
import { toastProblem } from "../toast.ts";
import type { Column } from "./columns.ts";
import { csvOf } from "./csv.ts";

/** Yields the pages of a list from start to end. */
export type ReadAll<Row> = () => AsyncIterable<readonly Row[]>;

/** A spreadsheet takes a million rows; a browser should not be asked for more than this. */
const MOST_ROWS = 50_000;

interface ExportButtonProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** The selected rows; absent for the whole list. */
  readonly rows?: readonly Row[];
  readonly readAll?: ReadAll<Row>;
}

/** Saves a list as CSV: every row that passes the filters, not only the visible page. */
export function ExportButton<Row>({ name, columns, rows, readAll }: ExportButtonProps<Row>) {
  const [read, setRead] = useState<number>();
  const save = async (): Promise<void> => {
    if (read !== undefined) return;
    setRead(0);
    try {
      const all = rows ?? (readAll ? await collect(readAll, setRead) : []);
      saveFile(new Blob([csvOf(columns, all)], { type: "text/csv" }), `${name}.csv`);
    } catch (error) {
      toastProblem(`The export failed: ${reasonOf(error)}`);
    } finally {
      setRead(undefined);
    }
  };
  return (
    <button type="button" className="pf-btn" aria-disabled={read !== undefined} onClick={() => void save()}>
      <Download aria-hidden="true" className="button-mark" />
      {read === undefined ? "Export CSV" : `Exporting ${read.toLocaleString()}`}
    </button>
  );
}

async function collect<Row>(readAll: ReadAll<Row>, onRead: (rows: number) => void): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of readAll()) {
    all.push(...page);
    onRead(all.length);
    if (all.length >= MOST_ROWS) break;
  }
  return all;
}
