import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Chosen, dayText } from "./period.ts";

interface CallLinkProps {
  /** The page's own filters. */
  readonly chosen: Chosen;
  readonly from: Date;
  readonly to: Date;
  /** More filters for the page of calls. */
  readonly only?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A figure that links to the calls it counts; both days of the period are included. */
export function CallLink({ chosen, from, to, only = {}, className, children }: CallLinkProps) {
  const search = {
    from: dayText(from),
    to: dayText(to),
    ...(chosen.agentId === "" ? {} : { agentId: chosen.agentId }),
    ...(chosen.channel === "" ? {} : { channel: chosen.channel }),
    ...only,
  };
  return (
    <Link to="/calls" search={search} className={className}>
      {children}
    </Link>
  );
}
