import type { Channel } from "@parley/shared/contracts/messaging.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { channelTitle, qualityText } from "./messaging-labels.ts";
import { useChannels } from "./use-channels.ts";

const ConnectNumberDialog = later(async () => (await import("./channel-dialogs.tsx")).ConnectNumberDialog);

/** The organization's WhatsApp numbers. */
export function ChannelsPage() {
  const { org } = useHere();
  const loaded = useChannels();
  const navigate = useNavigate();
  const agents = useAgentNames();
  const columns = useMemo(() => channelColumns(agents), [agents]);
  const [isNew, setNew] = useState(false);
  const mayChange = isAtLeast(org.role, "developer");
  return (
    <AppPage title="WhatsApp">
      <div className="row row-spread">
        <p className="pf-muted">Numbers that people write to. An agent answers, or your team does.</p>
        <div className="row">
          <Link to="/inbox" className="pf-btn">
            Open inbox
          </Link>
          {mayChange && (
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
              Connect number
            </button>
          )}
        </div>
      </div>
      {!mayChange && <p>Owners, admins and developers connect numbers. Your role here is {org.role}.</p>}
      {loaded.data?.length === 0 ? (
        <NoNumbers />
      ) : (
        <DataTable
          name="channels"
          label="WhatsApp numbers"
          columns={columns}
          rows={loaded.data}
          of={loaded}
          rowId={({ id }) => id}
          readAll="rows"
          empty={null}
        />
      )}
      {isNew && (
        <ConnectNumberDialog
          onClose={() => setNew(false)}
          onMade={({ id }) => void navigate({ to: "/channels/$id", params: { id } })}
        />
      )}
    </AppPage>
  );
}

function NoNumbers() {
  return (
    <div className="pf-card panel">
      <h2>No numbers yet</h2>
      <p>You need three things from Meta before you connect one:</p>
      <ol className="meta-needs">
        <li>
          A Meta app with WhatsApp. Its dashboard shows the phone number ID and the business account ID.
        </li>
        <li>
          An access token of a system user, with <code>whatsapp_business_messaging</code> and{" "}
          <code>whatsapp_business_management</code>.
        </li>
        <li>The app secret, under App settings → Basic. Messages from Meta are verified with it.</li>
      </ol>
    </div>
  );
}

function channelColumns(agents: ReadonlyMap<string, string>): readonly Column<Channel>[] {
  const answeredBy = ({ agentId }: Channel): string =>
    agentId === null ? "Your team" : (agents.get(agentId) ?? "An agent");
  return [
    {
      id: "number",
      name: "Number",
      sorts: true,
      look: "long",
      text: channelTitle,
      cell: (channel) => (
        <Link to="/channels/$id" params={{ id: channel.id }}>
          {channelTitle(channel)}
        </Link>
      ),
    },
    { id: "answered", name: "Answered by", sorts: true, look: "name", text: answeredBy, cell: answeredBy },
    {
      id: "status",
      name: "Status",
      sorts: true,
      look: "long",
      text: ({ status, lastError }) => (status === "error" ? (lastError ?? "Needs attention") : "Connected"),
      cell: ({ status, lastError }) =>
        status === "error" ? (
          <>
            <span className="pf-badge tone-badge tone-bad">Needs attention</span>
            {lastError !== null && <p className="channel-error">{lastError}</p>}
          </>
        ) : (
          <span className="pf-badge tone-badge tone-good">Connected</span>
        ),
    },
    {
      id: "quality",
      name: "Quality",
      sorts: true,
      text: ({ quality }) => qualityText(quality),
      cell: ({ quality }) => qualityText(quality),
    },
  ];
}
