import { Link } from "@tanstack/react-router";
import { LogOut, Mic, ServerCog, ShieldCheck } from "lucide-react";
import { useHere, useSession } from "../api/use-session.ts";
import { Menu } from "../ui/menu.tsx";
import { ThemeChoice } from "../ui/theme-switch.tsx";
import { Initial } from "./org-menu.tsx";

/** Who is signed in, and their own pages. */
export function UserMenu() {
  const session = useSession();
  const { me, org } = useHere();
  const address = me.email ?? me.mobile ?? "";
  const name = me.name || address;
  return (
    <Menu
      label={`Account: ${name}`}
      className="user-menu"
      button={
        <>
          <Initial name={name} />
          <span className="menu-name">{name}</span>
        </>
      }
    >
      <p className="menu-about">
        <strong>{name}</strong>
        <span className="pf-muted">
          {address !== name && `${address} · `}
          {org.role}
        </span>
      </p>
      <ThemeChoice />
      <Link to="/security" className="menu-item">
        <ShieldCheck aria-hidden="true" className="icon" /> Security
      </Link>
      {me.isOperator && (
        <Link to="/operator" className="menu-item">
          <ServerCog aria-hidden="true" className="icon" /> Operator
        </Link>
      )}
      <a href="/talk" className="menu-item">
        <Mic aria-hidden="true" className="icon" /> Talk page
      </a>
      <button type="button" data-closes className="menu-item" onClick={() => void session.signOut()}>
        <LogOut aria-hidden="true" className="icon" /> Sign out
      </button>
    </Menu>
  );
}
