import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import type { Column } from "../../ui/table/columns.ts";
import { ExactTime } from "../../ui/time.tsx";
import { AuditDetails, auditDetailsText } from "./audit-details.tsx";
import { actionText } from "./audit-labels.ts";

/** Columns of the audit log; `names` maps ids of members and things to names. */
export function auditColumns(names: ReadonlyMap<string, string>): readonly Column<AuditEvent>[] {
  const actor = ({ actor: { kind, id } }: AuditEvent): string => {
    if (id === null || kind === "nobody") return "Parley";
    const name = names.get(id);
    if (kind === "key") return name === undefined ? `API key ${id}` : `API key ${name} (${id})`;
    return name ?? id;
  };
  const target = ({ userId, actor: { id }, details }: AuditEvent) => ({
    about: userId === null || userId === id ? undefined : (names.get(userId) ?? userId),
    details,
    names,
  });
  return [
    {
      id: "action",
      name: "Action",
      text: ({ action }) => action,
      cell: ({ action }) => <span data-tip={action}>{actionText(action)}</span>,
    },
    {
      id: "when",
      name: "When",
      look: "plain",
      text: ({ at }) => at,
      cell: ({ at }) => <ExactTime at={at} />,
    },
    {
      id: "outcome",
      name: "Outcome",
      look: "plain",
      text: ({ outcome }) => outcome,
      cell: ({ outcome }) => (
        <span className={`pf-badge tone-badge ${outcome === "success" ? "tone-good" : "tone-bad"}`}>
          {outcome === "success" ? "Success" : "Failed"}
        </span>
      ),
    },
    {
      id: "by",
      name: "By",
      look: "name",
      text: actor,
      // The id is in the cell's hint.
      cell: (event) => actor(event).replace(/ \(key_[^)]*\)$/, ""),
    },
    {
      id: "details",
      name: "Details",
      text: (event) => auditDetailsText(target(event)),
      cell: (event) => <AuditDetails {...target(event)} />,
    },
    {
      id: "from",
      name: "From",
      text: ({ ip, userAgent }) => [ip, userAgent].filter(Boolean).join(" · "),
      cell: ({ ip, userAgent }) => (
        <>
          {ip || "–"}
          {userAgent && (
            <span className="audit-device pf-muted" data-tip={userAgent}>
              {userAgent}
            </span>
          )}
        </>
      ),
    },
  ];
}
