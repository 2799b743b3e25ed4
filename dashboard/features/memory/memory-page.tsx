import type { Memory } from "@parley/shared/contracts/memory.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Session } from "../../api/session.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { phoneText } from "../../ui/phone-text.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/table/filters.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { toast } from "../../ui/toast.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { memoryColumns } from "./memory-columns.tsx";
import { type MemoryOfPage, memoryPath, memoryQuery, useMemory } from "./use-memory.ts";

const AddMemoryDialog = later(async () => (await import("./memory-dialogs.tsx")).AddMemoryDialog);
const CorrectDialog = later(async () => (await import("./memory-dialogs.tsx")).CorrectDialog);
const DeleteDialog = later(async () => (await import("./memory-dialogs.tsx")).DeleteDialog);
const ForgetDialog = later(async () => (await import("./memory-dialogs.tsx")).ForgetDialog);

type Open =
  | { readonly at: "none" | "add" | "forget" }
  | { readonly at: "correct" | "delete"; readonly memory: Memory };

const EXPORT_PAGE_SIZE = 200;

/** What agents remember about people, to view, correct and delete. */
export function MemoryPage() {
  const session = useSession();
  const { org } = useHere();
  const [params] = useSearchParams();
  const loaded = useMemory(params);
  const agents = useAgentNames();
  const columns = useMemo(() => memoryColumns(agents), [agents]);
  const [open, setOpen] = useState<Open>({ at: "none" });
  const mayChange = isAtLeast(org.role, "developer");
  const identifier = params.get("identifier") ?? "";
  const dialogs = {
    onClose: () => setOpen({ at: "none" }),
    onDone: async (done: string) => {
      toast(done);
      await loaded.reload();
    },
  };
  return (
    <AppPage title="Memory">
      <div className="row row-spread">
        <p className="pf-muted memory-about">
          What agents know of people from earlier calls and chats. An agent remembers nobody until that is
          turned on, on its page under “After the call”.
        </p>
        {mayChange && (
          <div className="row">
            {identifier !== "" && (
              <button
                type="button"
                className="pf-btn pf-btn-danger"
                onClick={() => setOpen({ at: "forget" })}
              >
                Forget {phoneText(identifier)}
              </button>
            )}
            <button type="button" className="pf-btn" onClick={() => setOpen({ at: "add" })}>
              Add note
            </button>
          </div>
        )}
      </div>
      <DataTable
        name="memory"
        label="What is remembered"
        columns={columns}
        rows={loaded.data?.memories}
        of={loaded}
        rowId={({ id }) => id}
        filters={
          <FilterBar>
            <TextFilter label="Person" name="identifier" maxLength={128} />
            <SelectFilter label="Agent" name="agent" options={[...agents]} />
          </FilterBar>
        }
        readAll={() => readMemory(session, org.id, params)}
        empty={<NothingRemembered isFiltered={params.size > 0} />}
        pager={<CursorPager next={loaded.data?.nextBefore ?? null} />}
        {...(mayChange && { actions: (memory: Memory) => <RowActions memory={memory} onOpen={setOpen} /> })}
      />
      <OpenDialog {...{ open, dialogs, agents, identifier }} />
    </AppPage>
  );
}

function NothingRemembered({ isFiltered }: { readonly isFiltered: boolean }) {
  const [, setParams] = useSearchParams();
  if (!isFiltered)
    return (
      <>
        <p>Nothing is remembered yet.</p>
        <p>
          <Link to="/agents">Open an agent</Link> and turn its memory on, under “After the call”.
        </p>
      </>
    );
  return (
    <>
      <p>Nothing matches these filters.</p>
      <button type="button" className="pf-btn" onClick={() => setParams(new URLSearchParams())}>
        Clear filters
      </button>
    </>
  );
}

function RowActions({ memory, onOpen }: { readonly memory: Memory; readonly onOpen: (open: Open) => void }) {
  return (
    <div className="row">
      <button type="button" className="pf-btn" onClick={() => onOpen({ at: "correct", memory })}>
        Correct<span className="only-heard"> {memory.text}</span>
      </button>
      <button type="button" className="pf-btn" onClick={() => onOpen({ at: "delete", memory })}>
        Delete<span className="only-heard"> {memory.text}</span>
      </button>
    </div>
  );
}

async function* readMemory(
  session: Session,
  orgId: string,
  shown: URLSearchParams,
): AsyncGenerator<readonly Memory[]> {
  const query = memoryQuery(shown);
  query.delete("before");
  query.set("limit", String(EXPORT_PAGE_SIZE));
  for (;;) {
    const path = `${memoryPath(orgId)}?${query}`;
    const { memories, nextBefore } = await session.call<MemoryOfPage>(path, { method: "GET", orgId });
    yield memories;
    if (nextBefore === null) return;
    query.set("before", nextBefore);
  }
}

interface OpenDialogProps {
  readonly open: Open;
  readonly dialogs: { readonly onClose: () => void; readonly onDone: (said: string) => Promise<void> };
  readonly agents: ReadonlyMap<string, string>;
  readonly identifier: string;
}

function OpenDialog({ open, dialogs, agents, identifier }: OpenDialogProps) {
  switch (open.at) {
    case "none":
      return null;
    case "add":
      return <AddMemoryDialog {...{ ...dialogs, agents, identifier }} />;
    case "forget":
      return <ForgetDialog {...{ ...dialogs, identifier }} />;
    case "correct":
      return <CorrectDialog {...dialogs} memory={open.memory} />;
    case "delete":
      return <DeleteDialog {...dialogs} memory={open.memory} />;
    default:
      return open satisfies never;
  }
}
