import type { Memory } from "@parley/shared/contracts/memory.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { AddMemoryDialog, CorrectDialog, DeleteDialog, ForgetDialog } from "./memory-dialogs.tsx";
import { MemoryFilters } from "./memory-filters.tsx";
import { useMemory } from "./use-memory.ts";

type Open =
  | { readonly at: "none" | "add" | "forget" }
  | { readonly at: "correct" | "delete"; readonly memory: Memory };

/** What agents remember of people, for people to see, correct and delete. */
export function MemoryPage() {
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const loaded = useMemory(params);
  const agents = useAgentNames();
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [said, say] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const identifier = params.get("identifier") ?? "";
  const show = (next: Open): void => {
    say(undefined);
    setOpen(next);
  };
  const dialogs = {
    onClose: () => setOpen({ at: "none" }),
    onDone: async (done: string) => {
      say(done);
      await loaded.reload();
    },
  };
  return (
    <AppPage title="Memory">
      <p className="pf-muted">
        What agents know of people from earlier calls and chats. An agent remembers nobody until that is
        turned on, on its page under “After the call”.
      </p>
      {said && <Success>{said}</Success>}
      <MemoryFilters agents={agents} />
      {mayChange && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => show({ at: "add" })}>
            Add a note
          </button>
          {identifier !== "" && (
            <button type="button" className="pf-btn pf-btn-danger" onClick={() => show({ at: "forget" })}>
              Forget {identifier}
            </button>
          )}
        </div>
      )}
      <Loaded of={loaded}>
        {({ memories }) =>
          memories.length === 0 ? (
            <p className="pf-card panel">
              {params.size > 0 ? "Nothing matches these filters." : "Nothing is remembered yet."}
            </p>
          ) : (
            <MemoryTable {...{ memories, agents }} onOpen={mayChange ? show : undefined} />
          )
        }
      </Loaded>
      <Pages
        isLater={params.has("before")}
        next={loaded.data?.nextBefore ?? null}
        onTurn={(before) =>
          setParams((now) => {
            const after = new URLSearchParams(now);
            if (before === null) after.delete("before");
            else after.set("before", before);
            return after;
          })
        }
      />
      <OpenDialog {...{ open, dialogs, agents, identifier }} />
    </AppPage>
  );
}

interface MemoryTableProps {
  readonly memories: readonly Memory[];
  readonly agents: ReadonlyMap<string, string>;
  /** Undefined for those who only read. */
  readonly onOpen: ((open: Open) => void) | undefined;
}

function MemoryTable({ memories, agents, onOpen }: MemoryTableProps) {
  return (
    <TablePanel label="What is remembered">
      <table className="pf-table">
        <TableHead
          columns={["Person", "What", "Agent", "From", "Until"]}
          withActions={onOpen !== undefined}
        />
        <tbody>
          {memories.map((memory) => (
            <tr key={memory.id}>
              <th scope="row">
                <Link to="/memory" search={{ identifier: memory.identifier }}>
                  {memory.identifier}
                </Link>
              </th>
              <td className="call-wraps">{memory.text}</td>
              <td>{agents.get(memory.agentId) ?? memory.agentId}</td>
              <td>
                <Origin memory={memory} />
              </td>
              <td>
                <ExactTime at={memory.expiresAt} />
              </td>
              {onOpen && (
                <td>
                  <div className="row">
                    <button
                      type="button"
                      className="pf-btn"
                      onClick={() => onOpen({ at: "correct", memory })}
                    >
                      Correct<span className="only-heard"> {memory.text}</span>
                    </button>
                    <button type="button" className="pf-btn" onClick={() => onOpen({ at: "delete", memory })}>
                      Delete<span className="only-heard"> {memory.text}</span>
                    </button>
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}

function Origin({ memory: { sessionId, updatedAt, correctedAt } }: { readonly memory: Memory }) {
  const at = <ExactTime at={updatedAt} />;
  if (correctedAt !== null) return <>Corrected {at}</>;
  if (sessionId === null) return <>Note of {at}</>;
  return (
    <Link to="/calls/$id" params={{ id: sessionId }}>
      {at}
    </Link>
  );
}

interface PagesProps {
  readonly isLater: boolean;
  readonly next: string | null;
  readonly onTurn: (before: string | null) => void;
}

function Pages({ isLater, next, onTurn }: PagesProps) {
  if (!isLater && next === null) return null;
  return (
    <div className="row">
      {isLater && (
        <button type="button" className="pf-btn" onClick={() => onTurn(null)}>
          Newest
        </button>
      )}
      {next !== null && (
        <button type="button" className="pf-btn" onClick={() => onTurn(next)}>
          Older
        </button>
      )}
    </div>
  );
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
