import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { Menu } from "../ui/menu.tsx";
import { type Notice, useNotices } from "./notices.ts";

/** What needs attention, on every page. */
export function NoticeBell() {
  const notices = useNotices();
  const count = notices.length;
  return (
    <Menu
      label={
        count === 0 ? "Notifications" : `Notifications: ${count} need${count === 1 ? "s" : ""} attention`
      }
      className="bell"
      button={
        <>
          <Bell aria-hidden="true" className="icon" />
          {count > 0 && <span className="bell-count">{count}</span>}
        </>
      }
    >
      <p className="menu-about">
        <strong>Notifications</strong>
      </p>
      <NoticeList notices={notices} />
    </Menu>
  );
}

export function NoticeList({ notices }: { readonly notices: readonly Notice[] }) {
  if (notices.length === 0) return <p className="pf-muted notice-none">All good: nothing to look at.</p>;
  return (
    <ul className="menu-list">
      {notices.map(({ key, title, text, link }) => (
        <li key={key}>
          <Link {...link} className="menu-item notice">
            <strong>{title}</strong>
            <span className="pf-muted">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
