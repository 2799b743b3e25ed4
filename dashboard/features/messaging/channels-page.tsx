import type { Channel } from "@parley/shared/contracts/messaging.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { channelTitle, qualityText } from "./messaging-labels.ts";
import { useChannels } from "./use-channels.ts";

const ConnectNumberDialog = later(async () => (await import("./channel-dialogs.tsx")).ConnectNumberDialog);

/** The organization's WhatsApp numbers. */
export function ChannelsPage() {
  const { org } = useHere();
  const loaded = useChannels();
  const navigate = useNavigate();
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
              Connect a number
            </button>
          )}
        </div>
      </div>
      {!mayChange && <p>Owners, admins and developers connect numbers. Your role here is {org.role}.</p>}
      <Loaded of={loaded}>
        {(channels) => (channels.length === 0 ? <NoNumbers /> : <NumberList channels={channels} />)}
      </Loaded>
      {isNew && (
        <Suspense>
          <ConnectNumberDialog
            onClose={() => setNew(false)}
            onMade={({ id }) => void navigate({ to: "/channels/$id", params: { id } })}
          />
        </Suspense>
      )}
    </AppPage>
  );
}

function NoNumbers() {
  return (
    <div className="pf-card panel">
      <h2>No numbers yet</h2>
      <p>You need three things from Meta before you connect one:</p>
      <ol className="steps">
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

function NumberList({ channels }: { readonly channels: readonly Channel[] }) {
  const agents = useAgentNames();
  return (
    <ul className="hook-list" aria-label="WhatsApp numbers">
      {channels.map((channel) => (
        <li key={channel.id} className="pf-card hook-card">
          <div className="hook-card-what">
            <Link to="/channels/$id" params={{ id: channel.id }} className="hook-url">
              {channelTitle(channel)}
            </Link>
            <p className="pf-muted hook-card-wants">
              {channel.agentId === null
                ? "Answered by your team"
                : `Answered by ${agents.get(channel.agentId) ?? "an agent"}`}
            </p>
            {channel.lastError !== null && (
              <p className="hook-card-reason channel-error">{channel.lastError}</p>
            )}
          </div>
          <p className="hook-card-wants">
            {channel.status === "error" ? "Needs attention" : `Quality: ${qualityText(channel.quality)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
