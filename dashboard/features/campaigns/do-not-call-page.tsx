import type { DncAdded, DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { InputError } from "../../api/api-error.ts";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, TextFilter } from "../../ui/table/filters.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { toast } from "../../ui/toast.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { textOf } from "../../ui/use-submit.ts";
import { DO_NOT_CALL_COLUMNS } from "./do-not-call-columns.tsx";
import { textOfFile } from "./read-table.ts";
import { addedText, allDoNotCall, nextNumber, useDoNotCall, useOrgCall } from "./use-campaigns.ts";

type Open = { readonly at: "none" | "add" } | { readonly at: "remove"; readonly number: string };

/** Numbers that the organization never calls. */
export function DoNotCallPage() {
  const { org } = useHere();
  const { get } = useOrgCall();
  const [params] = useSearchParams();
  const search = params.get("search") ?? "";
  const loaded = useDoNotCall(search, params.get("before") ?? "");
  const [open, setOpen] = useState<Open>({ at: "none" });
  const mayChange = isAtLeast(org.role, "developer");
  const close = (): void => setOpen({ at: "none" });
  const done = async (said: string): Promise<void> => {
    close();
    toast(said);
    await loaded.reload();
  };
  return (
    <AppPage title="Do not call">
      <div className="row row-spread">
        <p className="pf-muted">
          Numbers that are never dialed: not by <Link to="/campaigns">campaigns</Link>, agents, apps or
          people. People who opt out in a call or a message are added automatically.
        </p>
        {mayChange && (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen({ at: "add" })}>
            Add numbers
          </button>
        )}
      </div>
      <DataTable
        name="do-not-call"
        label="Numbers that are not called"
        columns={DO_NOT_CALL_COLUMNS}
        rows={loaded.data?.numbers}
        of={loaded}
        rowId={({ number }) => number}
        filters={
          <FilterBar>
            <TextFilter label="Find a number" name="search" type="tel" maxLength={32} />
          </FilterBar>
        }
        readAll={() => allDoNotCall(get, search)}
        empty={
          search === "" ? (
            <p>Nobody is on the list yet. Numbers of people who opt out are added automatically.</p>
          ) : (
            <p>There is no such number on the list.</p>
          )
        }
        pager={<CursorPager next={loaded.data ? nextNumber(loaded.data.numbers) : null} />}
        {...(mayChange && {
          actions: ({ number }: DncNumber) => (
            <button type="button" className="pf-btn" onClick={() => setOpen({ at: "remove", number })}>
              Remove<span className="only-heard"> {number}</span>
            </button>
          ),
        })}
      />
      {open.at === "add" && <AddNumbersDialog onClose={close} onDone={done} />}
      {open.at === "remove" && <RemoveDialog number={open.number} onClose={close} onDone={done} />}
    </AppPage>
  );
}

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

function AddNumbersDialog({ onClose, onDone }: DialogProps) {
  const { send } = useOrgCall();
  const add = async (fields: FormData): Promise<void> => {
    const file = fields.get("file");
    const csv = (file instanceof File ? (await textOfFile(file)).trim() : "") || textOf(fields, "numbers");
    if (csv === "") throw new InputError("Choose a file, or write numbers.");
    const added = await send<DncAdded>("POST", "/dnc/import", { csv, reason: textOf(fields, "reason") });
    await onDone(addedText(added));
  };
  return (
    <FormDialog title="Add numbers" does="Add" onSubmit={add} onClose={onClose}>
      <LongField
        label="Numbers, one in a line"
        name="numbers"
        rows={4}
        placeholder="+12025550111"
        spellCheck={false}
      />
      <Field
        label="Or a CSV file"
        name="file"
        type="file"
        accept=".csv,text/csv,text/plain"
        hint="The first column with numbers is taken."
      />
      <Field label="Why (optional)" name="reason" maxLength={200} autoComplete="off" />
    </FormDialog>
  );
}

function RemoveDialog({ number, onClose, onDone }: DialogProps & { readonly number: string }) {
  const { send } = useOrgCall();
  const remove = async (): Promise<void> => {
    await send("DELETE", `/dnc/${encodeURIComponent(number)}`);
    await onDone(`${number} may be called again.`);
  };
  return (
    <FormDialog title={`Remove ${number}`} does="Remove" isDanger onSubmit={remove} onClose={onClose}>
      <p>It can be called again. The audit log tells who removed it.</p>
    </FormDialog>
  );
}
