import type {
  connectedInstagramResponseSchema,
  InstagramAccount,
} from "@parley/shared/contracts/instagram.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { z } from "zod";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { instagramPath } from "./instagram-path.ts";

const ConnectAccountDialog = later(
  async () => (await import("./instagram-dialogs.tsx")).ConnectAccountDialog,
);
const DisconnectAccountDialog = later(
  async () => (await import("./instagram-dialogs.tsx")).DisconnectAccountDialog,
);
const EditAccountDialog = later(async () => (await import("./account-dialogs.tsx")).EditAccountDialog);
const ReplaceCredentialsDialog = later(
  async () => (await import("./account-dialogs.tsx")).ReplaceCredentialsDialog,
);

type ConnectedAccount = z.infer<typeof connectedInstagramResponseSchema>["data"];
type Open = "none" | "connect" | "edit" | "credentials" | "disconnect";

/** Each account, with the settings to enter at Meta. */
function useAccounts(): Data<readonly ConnectedAccount[]> {
  const session = useSession();
  const { org } = useHere();
  const path = instagramPath(org.id);
  const get = <T,>(from: string): Promise<T> => session.call<T>(from, { method: "GET", orgId: org.id });
  return useData(
    path,
    async () => {
      const { channels } = await get<{ channels: readonly InstagramAccount[] }>(path);
      return Promise.all(channels.map(({ id }) => get<ConnectedAccount>(`${path}/${id}`)));
    },
    { isList: true },
  );
}

/** The organization's Instagram accounts. */
export function InstagramPage() {
  const { org } = useHere();
  const loaded = useAccounts();
  const [isNew, setNew] = useState(false);
  const mayChange = isAtLeast(org.role, "developer");
  return (
    <AppPage title="Instagram">
      <div className="row row-spread">
        <p className="pf-muted">Accounts that people message. An agent answers, or your team does.</p>
        <div className="row">
          <Link to="/inbox" className="pf-btn">
            Open inbox
          </Link>
          {mayChange && (
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setNew(true)}>
              Connect account
            </button>
          )}
        </div>
      </div>
      {!mayChange && <p>Owners, admins and developers connect accounts. Your role here is {org.role}.</p>}
      <Loaded of={loaded}>
        {(accounts) =>
          accounts.length === 0 ? (
            <NoAccounts />
          ) : (
            accounts.map((account) => (
              <AccountCard key={account.id} account={account} mayChange={mayChange} reload={loaded.reload} />
            ))
          )
        }
      </Loaded>
      {isNew && (
        <ConnectAccountDialog
          onClose={() => setNew(false)}
          onDone={async () => {
            setNew(false);
            await loaded.reload();
          }}
        />
      )}
    </AppPage>
  );
}

function NoAccounts() {
  return (
    <div className="pf-card panel">
      <h2>No accounts yet</h2>
      <p>You need three things from Meta before you connect one:</p>
      <ol className="meta-needs">
        <li>An Instagram professional account, and a Meta app with Instagram login.</li>
        <li>
          An access token of the account, with <code>instagram_business_basic</code> and{" "}
          <code>instagram_business_manage_messages</code>. It is renewed automatically.
        </li>
        <li>The Instagram app secret. Messages from Meta are verified with it.</li>
      </ol>
    </div>
  );
}

interface AccountCardProps {
  readonly account: ConnectedAccount;
  readonly mayChange: boolean;
  readonly reload: () => Promise<void>;
}

function AccountCard({ account, mayChange, reload }: AccountCardProps) {
  const agents = useAgentNames();
  const [open, setOpen] = useState<Open>("none");
  const [said, say] = useState<string>();
  const { id, name, username, agentId, webhook, lastError } = account;
  const { org } = useHere();
  const dialog = {
    account,
    path: `${instagramPath(org.id)}/${account.id}`,
    onClose: () => setOpen("none"),
    onDone: async (done: string): Promise<void> => {
      setOpen("none");
      say(done);
      await reload();
    },
  };
  return (
    <section className="pf-card panel" aria-labelledby={id}>
      <h2 id={id}>{username === null || name === username ? name : `${name} (${username})`}</h2>
      <p className="pf-muted">
        {agentId === null ? "Answered by your team" : `Answered by ${agents.get(agentId) ?? "an agent"}`}
      </p>
      {lastError !== null && <Problem>{lastError}</Problem>}
      {said && <Success>{said}</Success>}
      <p>
        Enter both in your Meta app under Instagram → Webhooks, then subscribe to the field{" "}
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
      {mayChange && <Actions account={account} onOpen={setOpen} onDone={dialog.onDone} />}
      {open === "edit" && <EditAccountDialog {...dialog} />}
      {open === "credentials" && <ReplaceCredentialsDialog {...dialog} />}
      {open === "disconnect" && <DisconnectAccountDialog {...dialog} />}
    </section>
  );
}

interface ActionsProps {
  readonly account: ConnectedAccount;
  readonly onOpen: (what: Open) => void;
  readonly onDone: (said: string) => Promise<void>;
}

function Actions({ account, onOpen, onDone }: ActionsProps) {
  const session = useSession();
  const { org } = useHere();
  const check = useSubmit(async () => {
    await session.call(`${instagramPath(org.id)}/${account.id}/check`, { orgId: org.id });
    await onDone("Checked with Instagram.");
  });
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          aria-disabled={check.isBusy}
          onClick={() => void check.run()}
        >
          Check now
        </button>
        <button type="button" className="pf-btn" onClick={() => onOpen("edit")}>
          Edit
        </button>
        <button type="button" className="pf-btn" onClick={() => onOpen("credentials")}>
          Replace credentials
        </button>
        <button type="button" className="pf-btn" onClick={() => onOpen("disconnect")}>
          Disconnect
        </button>
      </div>
      {check.problem && <Problem>{check.problem}</Problem>}
    </>
  );
}
