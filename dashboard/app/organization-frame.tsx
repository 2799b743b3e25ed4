import type { Me } from "@parley/shared/contracts/accounts.ts";
import { Outlet, useMatchRoute, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useChanges } from "../api/use-changes.ts";
import { useData } from "../api/use-data.ts";
import { HereContext, useSession } from "../api/use-session.ts";
import { AppsHostProvider } from "../features/apps/apps-host.tsx";
import { SoftphoneProvider } from "../features/softphone/softphone-provider.tsx";
import { EndpointsProvider } from "../features/webhooks/use-endpoints.tsx";
import { Field } from "../ui/field.tsx";
import { later } from "../ui/later.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Problem } from "../ui/messages.tsx";
import { textOf, useSubmit } from "../ui/use-submit.ts";
import { AuthPage } from "./page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { PaletteHost, TopBar } from "./top-bar.tsx";

const SHOWN_ORG = "parley-org";

/** Loaded behind the page: nothing of it is seen until somebody calls. */
const CallStrip = later(async () => (await import("../features/softphone/call-strip.tsx")).CallStrip);
const IncomingCalls = later(
  async () => (await import("../features/softphone/incoming-calls.tsx")).IncomingCalls,
);

/** Around each page: which organization, the way to its pages, and who one is. */
export function OrganizationFrame() {
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
          <a href="#page" className="skip-link">
            Skip to the page
          </a>
          <div className="frame">
            <Sidebar onShow={show} />
            <div className="frame-beside">
              <TopBar onShow={show} />
              <PaletteHost />
              <main key={org.id} id="page" className="frame-main" tabIndex={-1}>
                <Phone />
                <AppsHostProvider>
                  <Outlet />
                </AppsHostProvider>
              </main>
            </div>
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
    <AuthPage title="You’re not in an organization yet">
      <p>Ask for an invite or create one.</p>
      <form onSubmit={onSubmit}>
        <Field label="Name" name="name" maxLength={128} autoComplete="organization" required />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Create organization
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
  const isPhone = useMatchRoute()({ to: "/softphone" }) !== false;
  const navigate = useNavigate();
  return (
    <Suspense>
      <IncomingCalls onAnswered={() => void navigate({ to: "/softphone" })} />
      {!isPhone && <CallStrip />}
    </Suspense>
  );
}
