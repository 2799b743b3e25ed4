import type { TargetsAdded } from "@parley/shared/contracts/campaigns.ts";
import { variableOf } from "@parley/shared/contracts/target-table.ts";
import { useState } from "react";
import { InputError, reasonOf } from "../../api/api-error.ts";
import { Field, LongField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { addRows } from "./add-rows.ts";
import { ColumnTable } from "./column-table.tsx";
import { readTable, type Table, textOfFile, type Use, usualUses } from "./read-table.ts";
import { addedText, useOrgCall } from "./use-campaigns.ts";

interface TargetsPanelProps {
  /** The campaign's address under the organization's, such as `/campaigns/cmp_1`. */
  readonly path: string;
  /** Variables that each person has to have. */
  readonly needed?: readonly string[];
  readonly onAdded: (said: string) => Promise<void>;
}

/** Adds people from a file or from pasted text, after showing what becomes of each column. */
export function TargetsPanel({ path, needed = [], onAdded }: TargetsPanelProps) {
  const [times, setTimes] = useState(0);
  return (
    <section className="pf-card panel" aria-labelledby="add-title">
      <h2 id="add-title">Add people</h2>
      {/* Starts anew once they are added. */}
      <TargetsForm
        key={times}
        path={path}
        needed={needed}
        onAdded={async (said) => {
          setTimes(times + 1);
          await onAdded(said);
        }}
      />
    </section>
  );
}

interface Read {
  readonly table: Table;
  readonly uses: Readonly<Record<string, Use>>;
}

function TargetsForm({ path, needed, onAdded }: Required<TargetsPanelProps>) {
  const { send } = useOrgCall();
  const [read, setRead] = useState<Read>();
  const [fault, setFault] = useState<string>();
  const [sent, setSent] = useState(0);
  const take = async (text: () => Promise<string>): Promise<void> => {
    setRead(undefined);
    setFault(undefined);
    try {
      const csv = await text();
      if (csv.trim() === "") return;
      const table = readTable(csv);
      setRead({ table, uses: usualUses(table.names) });
    } catch (error) {
      setFault(reasonOf(error));
    }
  };
  const submit = useSubmit(async () => {
    if (!read) throw new InputError(fault ?? "Choose a file, or paste rows.");
    if (!Object.values(read.uses).includes("phone"))
      throw new InputError("Choose which column has the numbers.");
    const add = (body: object) => send<TargetsAdded>("POST", `${path}/targets`, body);
    const added = await addRows(read.table, read.uses, { send: add, onProgress: setSent });
    await onAdded(addedText(added));
  });
  const missing = read ? needed.filter((name) => !isGiven(name, read.uses)) : [];
  const problem = submit.problem ?? fault;
  return (
    <form className="campaign-form" onSubmit={submit.onSubmit} aria-busy={submit.isBusy}>
      <div className="campaign-fields">
        <Field
          label="CSV file"
          name="file"
          type="file"
          accept=".csv,text/csv,text/plain"
          hint="One column with phone numbers, including + and the country code, and one for each variable."
          onChange={({ currentTarget: { files } }) => void take(async () => textIn(files))}
        />
        <LongField
          label="Or rows"
          name="rows"
          rows={3}
          placeholder={"phone,name\n+12025550111,Ada"}
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => void take(async () => value)}
        />
      </div>
      {read && <ColumnTable {...read} onUses={(uses) => setRead({ ...read, uses })} />}
      {missing.length > 0 && (
        <Problem>
          The template needs {missing.join(", ")}. Name a column accordingly; people without a value get no
          message.
        </Problem>
      )}
      {problem && <Problem>{problem}</Problem>}
      <div className="row">
        <button type="submit" className="pf-btn" aria-disabled={submit.isBusy}>
          {submit.isBusy ? "Adding…" : "Add people"}
        </button>
        {submit.isBusy && read && read.table.rows.length > sent && sent > 0 && (
          <span className="pf-muted" role="status">
            {sent} of {read.table.rows.length} rows
          </span>
        )}
      </div>
    </form>
  );
}

function isGiven(variable: string, uses: Readonly<Record<string, Use>>): boolean {
  return Object.entries(uses).some(([name, use]) => use === "variable" && variableOf(name) === variable);
}

async function textIn(files: FileList | null): Promise<string> {
  const [file] = files ?? [];
  return file ? textOfFile(file) : "";
}
