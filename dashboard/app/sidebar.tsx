import { Link, useMatchRoute } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { useHere } from "../api/use-session.ts";
import { AppLinks } from "../features/apps/app-links.tsx";
import { useInstalledApps } from "../features/apps/use-apps.ts";
import { Icon } from "../ui/icon.tsx";
import logoUrl from "../ui/parley.svg";
import { NAVIGATION, type NavItem } from "./navigation.ts";
import { NoticeBell } from "./notice-bell.tsx";
import { OrgMenu } from "./org-menu.tsx";
import { openPalette } from "./palette-state.ts";
import { UserMenu } from "./user-menu.tsx";

interface SidebarProps {
  readonly onShow: (orgId: string) => void;
}

/** Beside each page on a wide screen: organization, search, pages and the person's menu. */
export function Sidebar({ onShow }: SidebarProps) {
  return (
    <aside className="side">
      <div className="side-head">
        <Link to="/" className="side-logo">
          <img src={logoUrl} alt="" width="24" height="24" /> Parley
        </Link>
        <NoticeBell />
      </div>
      <OrgMenu onShow={onShow} />
      <button type="button" className="side-search" onClick={openPalette}>
        <Search aria-hidden="true" className="icon" />
        <span>Go to…</span>
        <kbd>{/mac/i.test(navigator.userAgent) ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <PageLinks />
      <UserMenu />
    </aside>
  );
}

/** Links to each page of an organization. */
export function PageLinks() {
  const here = useHere();
  const hasOwnLink = useHasOwnLink();
  return (
    <nav aria-label="Pages" className="side-nav">
      {NAVIGATION.map(({ name, items }) => (
        <div key={name} className="nav-group">
          {name !== "" && (
            <p className="nav-group-name" aria-hidden="true">
              {name}
            </p>
          )}
          <ul aria-label={name === "" ? "Start" : name}>
            {items.map((item) =>
              item.isFor === undefined || item.isFor(here) ? (
                <li key={item.name}>
                  <NavLink {...item} isExact={item.to === "/" || (item.to === "/apps" && hasOwnLink)} />
                </li>
              ) : null,
            )}
          </ul>
        </div>
      ))}
      <AppLinks />
    </nav>
  );
}

/** Whether the shown page is an app's, with a link of its own in the sidebar. */
function useHasOwnLink(): boolean {
  const shown = useMatchRoute()({ to: "/apps/$id/pages/$pageId" });
  const apps = useInstalledApps();
  if (shown === false) return false;
  const pages = apps.find(({ id }) => id === shown.id)?.install.ui.pages ?? [];
  return pages.some(({ id, menu }) => menu && id === shown.pageId);
}

interface NavLinkProps extends NavItem {
  /** Not current on the pages below it. */
  readonly isExact: boolean;
}

/** Scrolled to while its page is shown: on a low screen it may be below the last one in sight. */
function NavLink({ to, name, icon: Picture, useAlarms, isExact }: NavLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const isHere = useMatchRoute()({ to, fuzzy: !isExact }) !== false;
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: "nearest" });
  }, [isHere]);
  return (
    <Link ref={link} to={to} className="frame-link" activeOptions={{ exact: isExact, includeSearch: false }}>
      <Picture aria-hidden="true" className="icon" />
      {name}
      {useAlarms && <Alarms useAlarms={useAlarms} />}
    </Link>
  );
}

/** How many things there need attention. */
function Alarms({ useAlarms }: { readonly useAlarms: () => number }) {
  const count = useAlarms();
  if (count === 0) return null;
  return (
    <span className="frame-alarm">
      <Icon name="alert" />
      {count}
      <span className="only-heard">{count === 1 ? " needs" : " need"} attention</span>
    </span>
  );
}
