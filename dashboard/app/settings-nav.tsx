import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";
import { useHere } from "../api/use-session.ts";
import { useFailingCount } from "../features/webhooks/use-endpoints.tsx";
import { Icon } from "../ui/icon.tsx";

/** The way to each page of an organization. */
export function SettingsNav() {
  const { org } = useHere();
  return (
    <nav aria-label="Settings">
      <NavLink to="/softphone">Softphone</NavLink>
      <NavLink to="/agents">Agents</NavLink>
      <NavLink to="/integrations">Integrations</NavLink>
      <NavLink to="/numbers">Numbers</NavLink>
      <NavLink to="/live">Live calls</NavLink>
      <NavLink to="/calls">Calls</NavLink>
      <NavLink to="/tracks">Tracks</NavLink>
      <NavLink to="/keys">API keys</NavLink>
      <WebhooksLink />
      <NavLink to="/members">Members</NavLink>
      <NavLink to="/data">Data</NavLink>
      {org.permissions.includes("manage_members") && <NavLink to="/audit">Audit log</NavLink>}
      <NavLink to="/security">Your security</NavLink>
    </nav>
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
  const count = useFailingCount();
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
