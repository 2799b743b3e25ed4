import type { McpConnection } from "@parley/shared/contracts/mcp.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useState } from "react";
import { AppPage } from "../../app/page.tsx";
import { Field } from "../../ui/field.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { IntegrationsNav } from "./integrations-nav.tsx";
import { Logo } from "./logo.tsx";
import { useMcpConnections } from "./mcp-api.ts";
import { ServerDirectory } from "./server-directory.tsx";

/** Remote tool servers: signed-in ones, any by address, and well-known ones. */
export function ToolServersPage() {
  const connections = useMcpConnections();
  return (
    <AppPage title="Tool servers">
      <IntegrationsNav current="servers" />
      <p className="pf-muted">
        Servers that speak the Model Context Protocol (MCP) offer tools that agents can call.
      </p>
      {connections.data?.length !== 0 && (
        <DataTable
          name="tool-servers"
          label="Connected servers"
          columns={SERVER_COLUMNS}
          rows={connections.data}
          of={connections}
          rowId={({ id }) => id}
          readAll="rows"
          empty={null}
        />
      )}
      <AddServer />
      <ServerDirectory />
    </AppPage>
  );
}

const SERVER_COLUMNS: readonly Column<McpConnection>[] = [
  {
    id: "label",
    name: "Server",
    sorts: true,
    look: "long",
    text: ({ label }) => label,
    cell: ({ id, label }) => (
      <span className="connection-name">
        <Logo name={label} />
        <Link to="/integrations/servers/$id" params={{ id }}>
          {label}
        </Link>
      </span>
    ),
  },
  { id: "url", name: "URL", look: "name", text: ({ url }) => url, cell: ({ url }) => url },
  {
    id: "status",
    name: "Status",
    sorts: true,
    look: "long",
    text: ({ status }) => status,
    cell: ({ status, lastError }) => (
      <>
        <ConnectionStatus status={status} />
        {status === "error" && lastError && <p className="connection-error">{lastError}</p>}
      </>
    ),
  },
];

function AddServer() {
  const navigate = useNavigate();
  const [fault, setFault] = useState<string>();
  const look = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const url = textOf(new FormData(event.currentTarget), "url");
    if (/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      void navigate({ to: "/integrations/servers/at", search: { url } });
    else setFault("Enter a full URL, such as https://mcp.example.com/mcp.");
  };
  return (
    <section className="pf-card panel" aria-labelledby="add-server-title">
      <h2 id="add-server-title">Add server by URL</h2>
      <form className="stack" onSubmit={look} noValidate>
        <Field
          label="URL"
          name="url"
          type="url"
          maxLength={2_048}
          placeholder="https://mcp.example.com/mcp"
          autoComplete="off"
          fault={fault}
          required
        />
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary">
            Show its tools
          </button>
        </div>
      </form>
    </section>
  );
}
