import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import type { Column } from "../../ui/table/columns.ts";
import { ExactTime } from "../../ui/time.tsx";
import { actionText } from "./audit-labels.ts";

/** Columns of the audit log; `names` maps member ids to names. */
export function auditColumns(names: ReadonlyMap<string, string>): readonly Column<AuditEvent>[] {
  const actor = ({ actor: { kind, id } }: AuditEvent): string => {
    if (id === null || kind === "nobody") return "Parley";
    return kind === "key" ? `API key ${id}` : (names.get(id) ?? id);
  };
  const target = ({ userId, actor: { id }, details }: AuditEvent): string =>
    [
      ...(userId === null || userId === id ? [] : [names.get(userId) ?? userId]),
      ...Object.entries(details).map(([name, value]) => `${name}: ${plain(value)}`),
    ].join(" · ");
  return [
    {
      id: "action",
      name: "Action",
      text: ({ action }) => action,
      cell: ({ action }) => <span title={action}>{actionText(action)}</span>,
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
    { id: "by", name: "By", look: "long", text: actor, cell: actor },
    { id: "details", name: "Details", look: "long", text: target, cell: (event) => target(event) || "–" },
    { id: "from", name: "IP address", text: ({ ip }) => ip, cell: ({ ip }) => ip || "–" },
    {
      id: "agent",
      name: "Device",
      look: "name",
      text: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => userAgent || "–",
    },
  ];
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
