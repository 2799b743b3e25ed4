import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { Link } from "@tanstack/react-router";
import { Phone } from "../../ui/phone.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { ExactTime } from "../../ui/time.tsx";
import {
  agentText,
  CHANNEL_NAMES,
  DIRECTION_NAMES,
  durationText,
  nameIn,
  partyText,
  statusText,
} from "./call-labels.ts";
import { CallStatus } from "./call-status.tsx";

/** Columns of a list of calls. */
export const CALL_COLUMNS: readonly Column<CallSummary>[] = [
  {
    id: "started",
    name: "Started",
    text: ({ createdAt }) => createdAt,
    cell: ({ sessionId, createdAt }) => (
      <Link to="/calls/$id" params={{ id: sessionId }}>
        <ExactTime at={createdAt} />
      </Link>
    ),
  },
  {
    id: "contact",
    name: "Contact",
    text: (call) => partyText(call, ""),
    cell: (call) => <Phone number={partyText(call)} />,
    look: "long",
  },
  { id: "agent", name: "Agent", text: agentText, cell: agentText, look: "name" },
  {
    id: "status",
    name: "Status",
    text: statusText,
    cell: (call) => <CallStatus call={call} />,
    look: "plain",
  },
  {
    id: "channel",
    name: "Channel",
    text: ({ channel }) => nameIn(CHANNEL_NAMES, channel),
    cell: (call) => (
      <span data-fold={isTextChannel(call.channel) ? undefined : nameIn(DIRECTION_NAMES, call.direction)}>
        {nameIn(CHANNEL_NAMES, call.channel)}
      </span>
    ),
  },
  {
    id: "direction",
    name: "Direction",
    text: ({ direction }) => nameIn(DIRECTION_NAMES, direction),
    cell: ({ direction }) => nameIn(DIRECTION_NAMES, direction),
    look: "folded",
  },
  {
    id: "duration",
    name: "Duration",
    text: ({ durationSecs }) => durationText(durationSecs),
    cell: ({ durationSecs }) => durationText(durationSecs),
    look: "number",
  },
];
