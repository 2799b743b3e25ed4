import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { againstText, countText, delayText, shareText } from "./figures.ts";

/** Today at a glance; each figure links to what it counts. */
export function FigureTiles({ overview: { live, today, dayBefore } }: { readonly overview: Overview }) {
  return (
    <ul className="tiles" aria-label="Today">
      <Tile name="Live now" link={{ to: "/live" }} note={live === 0 ? "No live calls" : "Follow along"}>
        {live > 0 && <span className="tile-live" aria-hidden="true" />}
        {countText(live)}
      </Tile>
      <Tile name="Calls today" link={{ to: "/calls" }} note={againstText(today.calls, dayBefore.calls)}>
        {countText(today.calls)}
      </Tile>
      <Tile
        name="Answered"
        link={{ to: "/calls", search: { status: "completed" } }}
        note={answeredNote(today, dayBefore)}
      >
        {shareText(today.answered, today.ended)}
      </Tile>
      <Tile name="Response time" link={{ to: "/calls" }} note={responseNote(today, dayBefore)}>
        {delayText(today.responseP50Ms)}
      </Tile>
      <Tile
        name="Failed"
        link={{ to: "/calls", search: { status: "failed" } }}
        note={`${countText(dayBefore.failed)} yesterday by now`}
        isBad={today.failed > 0}
      >
        {countText(today.failed)}
      </Tile>
    </ul>
  );
}

type Day = Pick<Overview["today"], keyof Overview["today"] & keyof Overview["dayBefore"]>;

function answeredNote(today: Day, dayBefore: Day): string {
  const now =
    today.ended === 0
      ? "No call has ended yet"
      : `${countText(today.answered)} of ${countText(today.ended)} ended calls`;
  return dayBefore.ended === 0 ? now : `${now} · ${shareText(dayBefore.answered, dayBefore.ended)} yesterday`;
}

function responseNote(today: Day, dayBefore: Day): string {
  const now =
    today.responseP95Ms === null ? "No answer yet today" : `95% within ${delayText(today.responseP95Ms)}`;
  return dayBefore.responseP50Ms === null
    ? now
    : `${now} · median ${delayText(dayBefore.responseP50Ms)} yesterday`;
}

interface TileProps {
  readonly name: string;
  readonly link: Pick<LinkProps, "to" | "search">;
  readonly note: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

function Tile({ name, link, note, isBad = false, children }: TileProps) {
  return (
    <li className="pf-card tile">
      <Link {...link} className="tile-name">
        {name}
      </Link>
      <p className={isBad ? "tile-figure tile-bad" : "tile-figure"}>{children}</p>
      <p className="pf-muted tile-note">{note}</p>
    </li>
  );
}
