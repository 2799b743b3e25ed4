import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { Popover } from "../ui/popover.tsx";
import { type Notice, useNotices } from "./notices.ts";

/** Shows on every page what needs attention. */
export function NoticeBell() {
  const notices = useNotices();
  const count = notices.length;
  return (
    <Popover
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
    </Popover>
  );
}

export function NoticeList({ notices }: { readonly notices: readonly Notice[] }) {
  if (notices.length === 0) return <p className="pf-muted notice-none">Nothing needs attention.</p>;
  return (
    <ul className="menu-list">
      {notices.map((notice) => (
        <li key={notice.key}>
          <NoticeItem notice={notice} />
        </li>
      ))}
    </ul>
  );
}

function NoticeItem({ notice }: { readonly notice: Notice }) {
  const about = (
    <>
      <strong>{notice.title}</strong>
      <span className="pf-muted">{notice.text}</span>
    </>
  );
  if ("link" in notice)
    return (
      <Link {...notice.link} className="menu-item notice">
        {about}
      </Link>
    );
  const { name, run } = notice.does;
  return (
    <div className="notice notice-with-deed">
      {about}
      <button type="button" className="pf-btn" onClick={() => void run()}>
        {name}
        <span className="only-heard"> {notice.title}</span>
      </button>
    </div>
  );
}
