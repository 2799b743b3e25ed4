import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { Time } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { channelTitle, healthText, qualityText } from "./messaging-labels.ts";
import { TemplateList } from "./template-list.tsx";
import { type ConnectedChannel, channelsPath, useChannel } from "./use-channels.ts";

const ReplaceCredentialsDialog = later(
  async () => (await import("./account-dialogs.tsx")).ReplaceCredentialsDialog,
);
const DisconnectDialog = later(async () => (await import("./channel-dialogs.tsx")).DisconnectDialog);
const EditAccountDialog = later(async () => (await import("./account-dialogs.tsx")).EditAccountDialog);

type Open = "none" | "edit" | "credentials" | "disconnect";

/** One WhatsApp number: its health, its settings to enter at Meta, and its templates. */
export function ChannelPage() {
  const { id } = useParams({ from: "/organization/channels/$id" });
  const loaded = useChannel(id);
  return (
    <>
      <Link to="/channels" className="back-link">
        <Icon name="back" /> WhatsApp
      </Link>
      {loaded.data ? (
        <KnownChannel key={id} channel={loaded.data} reload={loaded.reload} />
      ) : (
        <AppPage title="WhatsApp number">{null}</AppPage>
      )}
      <Loaded of={loaded}>{() => null}</Loaded>
    </>
  );
}

interface KnownChannelProps {
  readonly channel: ConnectedChannel;
  readonly reload: () => Promise<void>;
}

function KnownChannel({ channel, reload }: KnownChannelProps) {
  const session = useSession();
  const { org } = useHere();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>("none");
  const [said, say] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const onDone = async (done: string): Promise<void> => {
    say(done);
    await reload();
  };
  const check = useSubmit(async () => {
    say(undefined);
    await session.call(`${channelsPath(org.id)}/${channel.id}/check`, { orgId: org.id });
    await onDone("Checked with WhatsApp.");
  });
  const dialog = { channel, onDone, onClose: () => setOpen("none") };
  const account = { ...dialog, account: channel, path: `${channelsPath(org.id)}/${channel.id}` };
  return (
    <AppPage title={channelTitle(channel)}>
      {mayChange && (
        <div className="row">
          <button
            type="button"
            className="pf-btn"
            aria-disabled={check.isBusy}
            onClick={() => void check.run()}
          >
            Check now
          </button>
          <button type="button" className="pf-btn" onClick={() => setOpen("edit")}>
            Edit
          </button>
          {!channel.managed && (
            <button type="button" className="pf-btn" onClick={() => setOpen("credentials")}>
              Replace credentials
            </button>
          )}
          <button type="button" className="pf-btn" onClick={() => setOpen("disconnect")}>
            Disconnect
          </button>
        </div>
      )}
      {said && <Success>{said}</Success>}
      {check.problem && <Problem>{check.problem}</Problem>}
      {channel.lastError !== null && <Problem>{channel.lastError}</Problem>}
      <Facts channel={channel} />
      <SetUp channel={channel} />
      <Health channel={channel} />
      <TemplateList channelId={channel.id} />
      {open === "edit" && <EditAccountDialog {...account} />}
      {open === "credentials" && <ReplaceCredentialsDialog {...account} />}
      {open === "disconnect" && (
        <DisconnectDialog {...dialog} onDone={async () => void (await navigate({ to: "/channels" }))} />
      )}
    </AppPage>
  );
}

function Facts({ channel }: { readonly channel: ConnectedChannel }) {
  const agents = useAgentNames();
  return (
    <section className="pf-card panel" aria-labelledby="facts">
      <h2 id="facts">Number</h2>
      <dl className="channel-facts">
        <dt>Answered by</dt>
        <dd>
          {channel.agentId === null ? (
            "Your team"
          ) : (
            <Link to="/agents/$id/{-$section}" params={{ id: channel.agentId }}>
              {agents.get(channel.agentId) ?? channel.agentId}
            </Link>
          )}
        </dd>
        <dt>Display name</dt>
        <dd>{channel.verifiedName ?? "Not told yet"}</dd>
        <dt>Quality</dt>
        <dd>{qualityText(channel.quality)}</dd>
        <dt>Last checked</dt>
        <dd>{channel.checkedAt === null ? "Never" : <Time at={channel.checkedAt} />}</dd>
        <dt>Phone number ID</dt>
        <dd>
          <code>{channel.phoneNumberId}</code>
        </dd>
        <dt>Business account ID</dt>
        <dd>
          <code>{channel.businessAccountId}</code>
        </dd>
      </dl>
    </section>
  );
}

function SetUp({ channel: { webhook } }: { readonly channel: ConnectedChannel }) {
  if (webhook === null)
    return (
      <section className="pf-card panel" aria-labelledby="set-up">
        <h2 id="set-up">Managed number</h2>
        <p>The operator of this Parley provides this number and keeps its credentials.</p>
      </section>
    );
  return (
    <section className="pf-card panel" aria-labelledby="set-up">
      <h2 id="set-up">Webhook at Meta</h2>
      <p>
        Enter both in your Meta app under WhatsApp → Configuration, then subscribe to the field{" "}
        <code>messages</code>.
      </p>
      <dl className="channel-facts">
        <dt>Callback URL</dt>
        <dd className="row">
          <code>{webhook.callbackUrl}</code>
          <CopyButton label="callback URL" text={webhook.callbackUrl} />
        </dd>
        <dt>Verify token</dt>
        <dd className="row">
          <code>{webhook.verifyToken}</code>
          <CopyButton label="verify token" text={webhook.verifyToken} />
        </dd>
      </dl>
    </section>
  );
}

function Health({ channel: { health } }: { readonly channel: ConnectedChannel }) {
  const reports = Object.entries(health).toSorted(([, one], [, other]) => other.at.localeCompare(one.at));
  if (reports.length === 0) return null;
  return (
    <section className="pf-card panel" aria-labelledby="health">
      <h2 id="health">Reports from WhatsApp</h2>
      {reports.map(([field, { value, at }]) => (
        <details key={field}>
          <summary>
            {healthText(field)} · <Time at={at} />
          </summary>
          <pre className="channel-report">{JSON.stringify(value, null, 2)}</pre>
        </details>
      ))}
    </section>
  );
}
