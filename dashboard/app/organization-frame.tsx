import { Outlet, useMatchRoute, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { shownOrganization, storedOrganization, storeOrganization } from "../api/shown-organization.ts";
import { useData } from "../api/use-data.ts";
import { useLoadedOnce } from "../api/use-loaded-once.ts";
import { HereContext, ME, useSession } from "../api/use-session.ts";
import { AppsHostProvider } from "../features/apps/apps-host.tsx";
import { mayCall } from "../features/softphone/may-call.ts";
import { SoftphoneProvider } from "../features/softphone/softphone-provider.tsx";
import { later } from "../ui/later.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Sidebar } from "./sidebar.tsx";
import { PaletteHost, TopBar } from "./top-bar.tsx";

/** The start of the pages has just asked who is signed in. */
const TOLD_MS = 5_000;

const Changes = later(async () => (await import("./changes.tsx")).Changes);

/** Loaded lazily: nothing shows until a call comes in. */
const CallStrip = later(async () => (await import("../features/softphone/call-strip.tsx")).CallStrip);
const IncomingCalls = later(
  async () => (await import("../features/softphone/incoming-calls.tsx")).IncomingCalls,
);

/** Rarely shown: only to people who left their last organization. */
const FirstOrganization = later(async () => (await import("./first-organization.tsx")).FirstOrganization);

/** Frames each page with the organization, navigation and the person's menu. */
export function OrganizationFrame() {
  const session = useSession();
  const loaded = useData(ME, () => session.me(), { freshMs: TOLD_MS });
  const { data: me, reload } = loaded;
  const [chosen, choose] = useState(storedOrganization);
  if (!me)
    return (
      <main className="door">
        <Loaded of={loaded}>{() => null}</Loaded>
      </main>
    );
  const org = shownOrganization(me, chosen);
  if (!org) return <FirstOrganization onMade={reload} />;
  const show = (id: string): void => {
    storeOrganization(id);
    choose(id);
  };
  return (
    <HereContext value={{ me, org, reloadMe: reload }}>
      {!mayCall({ org }) && <Listening key={org.id} />}
      <SoftphoneProvider key={`softphone-${org.id}`}>
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
    </HereContext>
  );
}

/** Hears changes for those whose softphone does not. */
function Listening() {
  const isLoaded = useLoadedOnce();
  return isLoaded && <Changes />;
}

/** What the softphone shows on every page. */
function Phone() {
  const isLoaded = useLoadedOnce();
  const isPhone = useMatchRoute()({ to: "/softphone" }) !== false;
  const navigate = useNavigate();
  if (!isLoaded) return null;
  return (
    <>
      <IncomingCalls onAnswered={() => void navigate({ to: "/softphone" })} />
      {!isPhone && <CallStrip />}
    </>
  );
}
