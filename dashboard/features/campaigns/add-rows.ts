import { MAX_TARGETS_PER_REQUEST, type TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import { InputError, reasonOf } from "../../api/api-error.ts";
import { mappingOf, type Table, type Use } from "./read-table.ts";

/** The API's bound of a value. */
const MAX_CELL_CHARS = 4_000;
const NONE: TargetsAdded = { added: 0, duplicates: 0, doNotCall: 0, refused: [], refusedTotal: 0 };

interface Adding {
  /** Adds so many rows at most. */
  readonly send: (body: object) => Promise<TargetsAdded>;
  readonly onProgress: (rows: number) => void;
}

/** Adds a table of any length, part by part. Throws an error in words that says what was added before. */
export async function addRows(
  { rows }: Table,
  uses: Readonly<Record<string, Use>>,
  { send, onProgress }: Adding,
): Promise<TargetsAdded> {
  const mapping = mappingOf(uses);
  const used = Object.keys(uses).filter((name) => uses[name] !== "none");
  const cut = (row: Readonly<Record<string, string>>) =>
    Object.fromEntries(used.map((name) => [name, (row[name] ?? "").slice(0, MAX_CELL_CHARS)]));
  let sum = NONE;
  for (let from = 0; from < rows.length; from += MAX_TARGETS_PER_REQUEST) {
    const part = rows.slice(from, from + MAX_TARGETS_PER_REQUEST).map(cut);
    try {
      sum = together(sum, await send({ rows: part, mapping }), from);
    } catch (error) {
      if (from === 0) throw error;
      throw new InputError(`The first ${from} rows were added, then: ${reasonOf(error)}`, { cause: error });
    }
    onProgress(Math.min(from + MAX_TARGETS_PER_REQUEST, rows.length));
  }
  return sum;
}

/** `from`: how many rows come before those of `next`. */
function together(sum: TargetsAdded, next: TargetsAdded, from: number): TargetsAdded {
  const refused = next.refused.map((one) => ({ ...one, row: one.row + from }));
  return {
    added: sum.added + next.added,
    duplicates: sum.duplicates + next.duplicates,
    doNotCall: sum.doNotCall + next.doNotCall,
    refused: [...sum.refused, ...refused],
    refusedTotal: sum.refusedTotal + next.refusedTotal,
  };
}
