import type { DncAdded, DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { addedText, type DncPage, useDoNotCall, useOrgCall } from "./use-campaigns.ts";

type Open = { readonly at: "none" | "add" } | { readonly at: "remove"; readonly number: string };

/** Numbers that nobody of the organization calls. */
export function DoNotCallPage() {
  const { org } = useHere();
  const [search, setSearch] = useState("");
  const loaded = useDoNotCall(search);
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [news, setNews] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const close = (): void => setOpen({ at: "none" });
  const done = async (said: string): Promise<void> => {
    close();
    setNews(said);
    await loaded.reload();
  };
  return (
    <AppPage title="Do not call">
      <div className="row row-spread">
        <p className="pf-muted">
          Numbers that are never dialed: not by <Link to="/campaigns">campaigns</Link>, agents, apps or
          people. Whoever asks for it in a call or a message gets here.
        </p>
        {mayChange && (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => setOpen({ at: "add" })}>
            Add numbers
          </button>
        )}
      </div>
      {news && <Success>{news}</Success>}
      <Field
        label="Find a number"
        name="search"
        type="search"
        inputMode="tel"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Loaded of={loaded}>
        {(page) => (
          <NumberTable
            page={page}
            onRemove={mayChange ? (number) => setOpen({ at: "remove", number }) : undefined}
          />
        )}
      </Loaded>
      {open.at === "add" && <AddNumbersDialog onClose={close} onDone={done} />}
      {open.at === "remove" && <RemoveDialog number={open.number} onClose={close} onDone={done} />}
    </AppPage>
  );
}

const SOURCES: Readonly<Record<DncNumber["source"], string>> = {
  member: "Added by hand",
  import: "Imported",
  call: "Asked in a call",
  key: "Pressed a key in a call",
  message: "Asked in a message",
};

interface TableProps {
  readonly page: DncPage;
  readonly onRemove: ((number: string) => void) | undefined;
}

function NumberTable({ page: { numbers, total }, onRemove }: TableProps) {
  if (total === 0) return <p className="pf-card panel">There is no such number on the list.</p>;
  return (
    <TablePanel label="Numbers that are not called">
      <table className="pf-table">
        <TableHead columns={["Number", "How", "Why", "Since"]} withActions={onRemove !== undefined} />
        <tbody>
          {numbers.map(({ number, source, reason, sessionId, createdAt }) => (
            <tr key={number}>
              <td>{number}</td>
              <td>
                {sessionId === null ? (
                  SOURCES[source]
                ) : (
                  <Link to="/calls/$id" params={{ id: sessionId }}>
                    {SOURCES[source]}
                  </Link>
                )}
              </td>
              <td>{reason === "" ? "–" : reason}</td>
              <td>
                <Time at={createdAt} />
              </td>
              {onRemove && (
                <td>
                  <button type="button" className="pf-btn" onClick={() => onRemove(number)}>
                    Remove<span className="only-heard"> {number}</span>
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {total > numbers.length && (
        <p className="pf-muted">
          The newest {numbers.length} of {total}; find others by their digits.
        </p>
      )}
    </TablePanel>
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
    const csv = (file instanceof File ? (await file.text()).trim() : "") || textOf(fields, "numbers");
    if (csv === "") throw new Error("Choose a file, or write numbers.");
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
