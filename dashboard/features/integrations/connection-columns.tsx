import type { IntegrationProvider, OrgConnection } from "@parley/shared/contracts/integrations.ts";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";
import { ConnectionStatus, statusText } from "./connection-status.tsx";
import { Logo } from "./logo.tsx";

const SHOWN_USERS = 3;

/** Columns of the organization's connections. `providers` are undefined until the catalog is loaded. */
export function connectionColumns(
  providers: readonly IntegrationProvider[] | undefined,
): readonly Column<OrgConnection>[] {
  const systemOf = ({ providerId }: OrgConnection): string =>
    providers?.find((provider) => provider.providerId === providerId)?.name ?? providerId;
  return [
    {
      id: "connection",
      name: "Connection",
      sorts: true,
      text: ({ label }) => label,
      cell: (connection) => (
        <span className="connection-name">
          <Logo name={systemOf(connection)} />
          <Link to="/integrations/connections/$id" params={{ id: connection.id }}>
            {connection.label}
          </Link>
        </span>
      ),
    },
    {
      id: "system",
      name: "Account",
      sorts: true,
      look: "long",
      text: (connection) => aboutText(connection, systemOf(connection)),
      cell: (connection) => aboutText(connection, systemOf(connection)),
    },
    {
      id: "status",
      name: "Status",
      sorts: true,
      look: "long",
      text: statusText,
      cell: (connection) => <Status connection={connection} />,
    },
    {
      id: "users",
      name: "Used by",
      look: "long",
      text: ({ usedBy }) => usedBy.map(({ name }) => name).join(", "),
      cell: ({ usedBy }) => usedText(usedBy.map(({ name }) => name)),
    },
    {
      id: "checked",
      name: "Checked",
      sorts: true,
      text: ({ verifiedAt }) => verifiedAt ?? "",
      cell: ({ verifiedAt }) => (verifiedAt ? <Time at={verifiedAt} /> : "never"),
    },
  ];
}

/** The status, and what is wrong. */
function Status({ connection }: { readonly connection: OrgConnection }) {
  const { status, lastError, warnings } = connection;
  const [warning] = warnings;
  return (
    <>
      <ConnectionStatus status={status} isWarned={warnings.length > 0} />
      {status === "error" && lastError && <p className="connection-error">{lastError}</p>}
      {status === "active" && warning && <p className="pf-muted hook-card-wants">{warning}</p>}
    </>
  );
}

function aboutText({ settings }: OrgConnection, system: string): string {
  return [system, settings.account].filter(Boolean).join(" · ");
}

function usedText(names: readonly string[]): string {
  if (names.length === 0) return "no agent";
  const more = names.length - SHOWN_USERS;
  return `${names.slice(0, SHOWN_USERS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
