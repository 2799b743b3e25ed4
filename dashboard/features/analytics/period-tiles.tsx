import type { CallAnalytics, CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import type { ReactNode } from "react";
import { countText, delayText, shareText } from "../home/figures.ts";
import { CallLink } from "./call-link.tsx";
import type { Chosen } from "./period.ts";

interface PeriodProps {
  readonly analytics: CallAnalytics;
  readonly outcomes: CallOutcomes;
  readonly chosen: Chosen;
}

const SECS_PER_MINUTE = 60;

/** The period at a glance. */
export function PeriodTiles({ analytics: { from, to, totals }, outcomes, chosen }: PeriodProps) {
  const link = { chosen, from: new Date(from), to: new Date(to) };
  const minutes = Math.round(totals.talkSecs / SECS_PER_MINUTE);
  return (
    <ul className="tiles" aria-label="In this period">
      <Tile
        name={<CallLink {...link}>Calls and chats</CallLink>}
        note={`${countText(minutes)} minutes of talk`}
      >
        {countText(totals.calls)}
      </Tile>
      <Tile
        name={
          <CallLink {...link} only={{ status: "completed" }}>
            Answered
          </CallLink>
        }
        note={`${countText(totals.answered)} of ${countText(totals.calls)}`}
      >
        {shareText(totals.answered, totals.calls)}
      </Tile>
      <Tile
        name={
          <CallLink {...link} only={{ status: "failed" }}>
            Failed
          </CallLink>
        }
        note={shareText(totals.failed, totals.calls)}
      >
        {countText(totals.failed)}
      </Tile>
      <Tile
        name={<CallLink {...link}>Response time</CallLink>}
        note={
          totals.responseP95Ms === null ? "No answers yet" : `95% within ${delayText(totals.responseP95Ms)}`
        }
      >
        {delayText(totals.responseP50Ms)}
      </Tile>
      <Tile
        name={
          <CallLink {...link} only={{ interrupted: "true" }}>
            Interruptions
          </CallLink>
        }
        note="Callers talked over the agent"
      >
        {countText(outcomes.interruptions)}
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly name: ReactNode;
  readonly note: string;
  readonly children: ReactNode;
}

function Tile({ name, note, children }: TileProps) {
  return (
    <li className="pf-card tile">
      <p className="tile-note">{name}</p>
      <p className="tile-figure">{children}</p>
      <p className="pf-muted tile-note">{note}</p>
    </li>
  );
}
