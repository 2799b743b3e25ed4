import type { DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, TextFilter } from "../../ui/table/filters.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { toast } from "../../ui/toast.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { DO_NOT_CALL_COLUMNS } from "./do-not-call-columns.tsx";
import { allDoNotCall, nextNumber, useDoNotCall, useOrgCall } from "./use-campaigns.ts";

const AddNumbersDialog = later(async () => (await import("./do-not-call-dialogs.tsx")).AddNumbersDialog);
const RemoveDialog = later(async () => (await import("./do-not-call-dialogs.tsx")).RemoveDialog);

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
            <p>No numbers yet. Numbers of people who opt out are added automatically.</p>
          ) : (
            <p>No numbers match.</p>
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
