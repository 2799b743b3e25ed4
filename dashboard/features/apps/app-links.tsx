import { Link } from "@tanstack/react-router";
import { LazyAppIcon } from "./lazy-app-icon.tsx";
import { type InstalledApp, useInstalledApps } from "./use-apps.ts";

/** Sidebar links to installed apps' pages, under their own headings or the app's name. */
export function AppLinks() {
  const groups = Map.groupBy(useInstalledApps().flatMap(linksOf), ({ group }) => group);
  return [...groups].map(([group, links]) => (
    <div key={group} className="nav-group">
      <p className="nav-group-name" aria-hidden="true">
        {group}
      </p>
      <ul aria-label={group}>
        {links.map(({ id, pageId, title, icon }) => (
          <li key={`${id}/${pageId}`}>
            <Link
              to="/apps/$id/pages/$pageId"
              params={{ id, pageId }}
              className="frame-link"
              activeProps={{ "aria-current": "page" }}
            >
              <LazyAppIcon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** The group names the app: an app may not pass for the dashboard. */
function linksOf({ id, name, install }: InstalledApp) {
  return install.ui.pages
    .filter(({ menu }) => menu)
    .map((page) => ({
      id,
      pageId: page.id,
      title: page.title,
      icon: page.icon,
      group: page.group === null ? `${name} (app)` : `${page.group}, by ${name}`,
    }));
}
