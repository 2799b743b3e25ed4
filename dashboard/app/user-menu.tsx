import { Link } from "@tanstack/react-router";
import { LogOut, Mic, ServerCog, ShieldCheck } from "lucide-react";
import { useHere, useSession } from "../api/use-session.ts";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuLink, MenuOption } from "../ui/menu.tsx";
import { roleText } from "../ui/role-text.ts";
import { THEMES, type Theme } from "../ui/theme.ts";
import { THEME_NAMES, useTheme } from "../ui/theme-switch.tsx";
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
      <MenuGroup
        name={
          <>
            <strong>{name}</strong>
            <span className="pf-muted">
              {address !== name && `${address} · `}
              {roleText(org.role)}
            </span>
          </>
        }
      >
        <ThemeChoice />
        <MenuLink render={<Link to="/security" />}>
          <ShieldCheck aria-hidden="true" className="icon" />
          <span>Security</span>
        </MenuLink>
        {me.isOperator && (
          <MenuLink render={<Link to="/operator" />}>
            <ServerCog aria-hidden="true" className="icon" />
            <span>Operator</span>
          </MenuLink>
        )}
        <MenuLink render={<a href="/talk" />}>
          <Mic aria-hidden="true" className="icon" />
          <span>Talk page</span>
        </MenuLink>
      </MenuGroup>
      <MenuItem onSelect={() => void session.signOut()}>
        <LogOut aria-hidden="true" className="icon" />
        <span>Sign out</span>
      </MenuItem>
    </Menu>
  );
}

/** Offers all three themes side by side. */
function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <MenuChoice
      label="Theme"
      className="theme-choice"
      chosen={theme}
      onChoose={(chosen) => choose(chosen as Theme)}
    >
      {THEMES.map((one) => (
        <MenuOption key={one} value={one} stays className="theme-choice-one">
          {THEME_NAMES[one]}
        </MenuOption>
      ))}
    </MenuChoice>
  );
}
