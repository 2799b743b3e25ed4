import type { UserSession } from "@parley/shared/contracts/accounts.ts";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useSession } from "../../api/use-session.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.ts";

const COLUMNS: readonly Column<UserSession>[] = [
  {
    id: "device",
    name: "Device",
    sorts: true,
    text: ({ userAgent }) => deviceOf(userAgent),
    cell: ({ userAgent, current }) => (
      <>
        {deviceOf(userAgent)} {current && <span className="pf-badge">This device</span>}
      </>
    ),
  },
  { id: "address", name: "Address", sorts: true, text: ({ ip }) => ip, cell: ({ ip }) => ip },
  {
    id: "used",
    name: "Last used",
    sorts: true,
    text: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
  },
];

/** Where the person is signed in; each other device can be signed out. */
export function SessionsPanel() {
  const session = useSession();
  const loaded = useData(
    "sessions",
    () => session.call<{ sessions: UserSession[] }>("/api/auth/sessions", { method: "GET" }),
    { isList: true },
  );
  const end = async ({ id, userAgent }: UserSession): Promise<void> => {
    try {
      await session.call(`/api/auth/sessions/${id}`, { method: "DELETE" });
      toast(`${deviceOf(userAgent)} signed out.`);
    } catch (error) {
      toastProblem(reasonOf(error));
    }
    await loaded.reload();
  };
  return (
    <ListSection title="Active sessions">
      <DataTable
        name="sessions"
        label="List of sessions"
        columns={COLUMNS}
        rows={loaded.data?.sessions}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={null}
        actions={(each) =>
          !each.current && (
            <button type="button" className="pf-btn" onClick={() => void end(each)}>
              Sign out<span className="only-heard"> {deviceOf(each.userAgent)}</span>
            </button>
          )
        }
      />
    </ListSection>
  );
}

const SHORT_NAMES: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" };

/** Extracts "Firefox on Linux" from a user agent, or else its first part. */
function deviceOf(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const named = browser && (SHORT_NAMES[browser] ?? browser);
  if (named === undefined) return userAgent.split(/[\s/]/)[0] || "Unknown device";
  return system === undefined ? named : `${named} on ${system}`;
}
