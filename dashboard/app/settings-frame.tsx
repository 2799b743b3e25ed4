import type { Me } from "@parley/shared/contracts/accounts.ts";
import { useState } from "react";
import { useLocation, useRoute } from "wouter";
import { useChanges } from "../api/use-changes.ts";
import { useData } from "../api/use-data.ts";
import { HereContext, useSession } from "../api/use-session.ts";
import { CallStrip } from "../features/softphone/call-strip.tsx";
import { IncomingCalls } from "../features/softphone/incoming-calls.tsx";
import { useSoftphone } from "../features/softphone/softphone-context.ts";
import { SoftphoneProvider } from "../features/softphone/softphone-provider.tsx";
import { isBusy } from "../features/softphone/softphone-view.ts";
import { EndpointsProvider } from "../features/webhooks/use-endpoints.tsx";
import { Field } from "../ui/field.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Problem } from "../ui/messages.tsx";
import { textOf, useSubmit } from "../ui/use-submit.ts";
import { AuthPage } from "./page.tsx";
import { SettingsNav } from "./settings-nav.tsx";
import { SettingsPages } from "./settings-pages.tsx";

const SHOWN_ORG = "parley-org";

/** The frame of the settings: which organization, which page, and who one is. */
export function SettingsFrame() {
  const session = useSession();
  const loaded = useData("me", () => session.call<Me>("/api/auth/me", { method: "GET" }));
  const { data: me, reload } = loaded;
  const [chosen, choose] = useState(() => localStorage.getItem(SHOWN_ORG));
  if (!me)
    return (
      <main className="door">
        <Loaded of={loaded}>{() => null}</Loaded>
      </main>
    );
  const org = me.organizations.find(({ id }) => id === chosen) ?? me.organizations[0];
  if (!org) return <FirstOrganization onMade={reload} />;
  const show = (id: string): void => {
    localStorage.setItem(SHOWN_ORG, id);
    choose(id);
  };
  return (
    <HereContext value={{ me, org, reloadMe: reload }}>
      <Changes key={org.id} />
      <EndpointsProvider key={`endpoints-${org.id}`}>
        <SoftphoneProvider key={org.id}>
          <div className="frame">
            <aside className="frame-side">
              <OrgSwitch me={me} shown={org.id} onShow={show} />
              <SettingsNav />
              <p className="pf-muted frame-who">
                {me.name || me.email || me.mobile}
                <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void session.signOut()}>
                  Sign out
                </button>
              </p>
            </aside>
            <main key={org.id} className="frame-main">
              <Phone />
              <SettingsPages />
            </main>
          </div>
        </SoftphoneProvider>
      </EndpointsProvider>
    </HereContext>
  );
}

/** Listens for what changes in the organization, for all that is shown of it. */
function Changes() {
  useChanges();
  return null;
}

/** For whoever left, or was taken out of, the last one. */
function FirstOrganization({ onMade }: { readonly onMade: () => Promise<void> }) {
  const session = useSession();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await session.call("/api/orgs", { body: { name: textOf(fields, "name") } });
    await onMade();
  });
  return (
    <AuthPage title="You are in no organization">
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
    </AuthPage>
  );
}

/** What the phone has to tell on every page. */
function Phone() {
  const [isPhone] = useRoute("/softphone");
  const [, navigate] = useLocation();
  return (
    <>
      <IncomingCalls onAnswered={() => navigate("/softphone")} />
      {!isPhone && <CallStrip />}
    </>
  );
}

/** A call belongs to its organization: nobody leaves that in mid-call by a slip. */
function OrgSwitch({ me, shown, onShow }: { me: Me; shown: string; onShow: (id: string) => void }) {
  const inCall = isBusy(useSoftphone().view);
  const only = me.organizations.length === 1 ? me.organizations[0] : undefined;
  if (only) return <p className="frame-org">{only.name}</p>;
  return (
    <label className="frame-org">
      <span className="only-heard">Organization</span>
      <select
        className="pf-select"
        value={shown}
        disabled={inCall}
        title={inCall ? "You are in a call" : undefined}
        onChange={(event) => onShow(event.target.value)}
      >
        {me.organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
