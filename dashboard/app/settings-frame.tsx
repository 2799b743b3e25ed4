import type { Me } from "@parley/shared/contracts/accounts.ts";
import { type ReactNode, useState } from "react";
import { Link, Redirect, Route, Switch, useRoute } from "wouter";
import { useData } from "../api/use-data.ts";
import { HereContext, useSession } from "../api/use-session.ts";
import { AgentPage } from "../features/agents/agent-page.tsx";
import { AgentsPage } from "../features/agents/agents-page.tsx";
import { CallPage } from "../features/calls/call-page.tsx";
import { CallsPage } from "../features/calls/calls-page.tsx";
import { AuditPage } from "../features/settings/audit-page.tsx";
import { KeysPage } from "../features/settings/keys-page.tsx";
import { MembersPage } from "../features/settings/members-page.tsx";
import { SecurityPage } from "../features/settings/security-page.tsx";
import { EndpointPage } from "../features/webhooks/endpoint-page.tsx";
import { EndpointsProvider, useTroubleCount } from "../features/webhooks/use-endpoints.tsx";
import { WebhooksPage } from "../features/webhooks/webhooks-page.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/messages.tsx";
import { textOf, useSubmit } from "../ui/use-submit.ts";
import { DoorPage } from "./page.tsx";

const SHOWN_ORG = "parley-org";

/** The frame of the settings: which organization, which page, and who one is. */
export function SettingsFrame() {
  const session = useSession();
  const {
    data: me,
    problem,
    reload,
  } = useData("me", () => session.call<Me>("/api/auth/me", { method: "GET" }));
  const [chosen, choose] = useState(() => localStorage.getItem(SHOWN_ORG));
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (!me) return <p className="loading">Loading …</p>;
  const org = me.organizations.find(({ id }) => id === chosen) ?? me.organizations[0];
  if (!org) return <FirstOrganization onMade={reload} />;
  const show = (id: string): void => {
    localStorage.setItem(SHOWN_ORG, id);
    choose(id);
  };
  return (
    <HereContext value={{ me, org, reloadMe: reload }}>
      <EndpointsProvider>
        <div className="frame">
          <aside className="frame-side">
            <OrgSwitch me={me} shown={org.id} onShow={show} />
            <nav aria-label="Settings">
              <NavLink to="/agents">Agents</NavLink>
              <NavLink to="/calls">Calls</NavLink>
              <NavLink to="/keys">API keys</NavLink>
              <WebhooksLink />
              <NavLink to="/members">Members</NavLink>
              {org.permissions.includes("manage_members") && <NavLink to="/audit">Audit log</NavLink>}
              <NavLink to="/security">Your security</NavLink>
            </nav>
            <p className="pf-muted frame-who">
              {me.name || me.email || me.mobile}
              <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void session.signOut()}>
                Sign out
              </button>
            </p>
          </aside>
          <main key={org.id} className="frame-main">
            <Switch>
              <Route path="/agents" component={AgentsPage} />
              <Route path="/agents/:id/:section?">
                {({ id, section }) => <AgentPage key={id} id={id} section={section} />}
              </Route>
              <Route path="/calls" component={CallsPage} />
              <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
              <Route path="/keys" component={KeysPage} />
              <Route path="/webhooks" component={WebhooksPage} />
              <Route path="/webhooks/:id">{({ id }) => <EndpointPage id={id} />}</Route>
              <Route path="/members" component={MembersPage} />
              <Route path="/audit" component={AuditPage} />
              <Route path="/security" component={SecurityPage} />
              <Route>
                <Redirect to="/keys" replace />
              </Route>
            </Switch>
          </main>
        </div>
      </EndpointsProvider>
    </HereContext>
  );
}

/** For whoever left, or was taken out of, the last one. */
function FirstOrganization({ onMade }: { readonly onMade: () => Promise<void> }) {
  const session = useSession();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await session.call("/api/orgs", { body: { name: textOf(fields, "name") } });
    await onMade();
  });
  return (
    <DoorPage title="You are in no organization">
      <p>Ask somebody to invite you, or make one of your own.</p>
      <form onSubmit={onSubmit}>
        <Field label="Name" name="name" maxLength={128} autoComplete="organization" required />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Make an organization
        </button>
        <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void session.signOut()}>
          Sign out
        </button>
      </form>
    </DoorPage>
  );
}

function OrgSwitch({ me, shown, onShow }: { me: Me; shown: string; onShow: (id: string) => void }) {
  const only = me.organizations.length === 1 ? me.organizations[0] : undefined;
  if (only) return <p className="frame-org">{only.name}</p>;
  return (
    <label className="frame-org">
      <span className="only-heard">Organization</span>
      <select className="pf-select" value={shown} onChange={(event) => onShow(event.target.value)}>
        {me.organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function NavLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const [isHere] = useRoute(`${to}/*?`);
  return (
    <Link to={to} className="frame-link" aria-current={isHere ? "page" : undefined}>
      {children}
    </Link>
  );
}

/** Tells on every page when endpoints miss deliveries. */
function WebhooksLink() {
  const count = useTroubleCount();
  return (
    <NavLink to="/webhooks">
      Webhooks
      {count > 0 && (
        <span className="frame-alarm">
          <Icon name="alert" />
          {count}
          <span className="only-heard">{count === 1 ? " needs" : " need"} attention</span>
        </span>
      )}
    </NavLink>
  );
}
