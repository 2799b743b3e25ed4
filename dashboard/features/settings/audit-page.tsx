import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { useMembers } from "./use-members.ts";

interface Page {
  readonly events: readonly AuditEvent[];
  readonly nextBefore: string | null;
}

/** What happened to credentials, the newest first. */
export function AuditPage() {
  const session = useSession();
  const { org } = useHere();
  const [befores, setBefores] = useState<readonly string[]>([]);
  const before = befores.at(-1);
  const path = `/api/orgs/${org.id}/audit?limit=50${before === undefined ? "" : `&before=${before}`}`;
  const loaded = useData(path, () => session.call<Page>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
  const { data } = loaded;
  const members = useMembers();
  const nameOf = (id: string | null): string => {
    const member = members.data?.find(({ userId }) => userId === id);
    return member ? member.name || (member.email ?? member.mobile ?? "") : (id ?? "nobody");
  };
  return (
    <AppPage title="Audit log">
      <Loaded of={loaded}>{() => null}</Loaded>
      {data && (
        <TablePanel label="Audit log">
          <table className="pf-table">
            <TableHead columns={["When", "What", "Outcome", "By", "From"]} />
            <tbody>
              {data.events.map((event) => (
                <tr key={event.id}>
                  <td>
                    <Time at={event.at} />
                  </td>
                  <th scope="row">{event.action}</th>
                  <td>{event.outcome}</td>
                  <td>{nameOf(event.actor.id)}</td>
                  <td>{event.ip}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TablePanel>
      )}
      <div className="row">
        {befores.length > 0 && (
          <button type="button" className="pf-btn" onClick={() => setBefores(befores.slice(0, -1))}>
            Newer
          </button>
        )}
        {data?.nextBefore && (
          <button
            type="button"
            className="pf-btn"
            onClick={() => setBefores([...befores, data.nextBefore ?? ""])}
          >
            Older
          </button>
        )}
      </div>
    </AppPage>
  );
}
