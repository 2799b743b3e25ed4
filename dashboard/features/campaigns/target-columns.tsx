import type { Target } from "@parley/shared/contracts/campaigns.ts";
import { Link } from "@tanstack/react-router";
import { Phone } from "../../ui/phone.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";
import { targetText, writtenText } from "./campaign-labels.ts";

const isPutOff = ({ state, attempts }: Target): boolean => state === "waiting" && attempts > 0;

const NUMBER: Column<Target> = {
  id: "number",
  name: "Number",
  text: ({ phone }) => phone,
  cell: ({ phone }) => <Phone number={phone} />,
};
const WHERE: Column<Target> = {
  id: "where",
  name: "Region",
  text: ({ zone }) => zone,
  cell: ({ zone }) => zone,
};

/** Columns of people who are called, and of people who are written to. */
export const TARGET_COLUMNS: Readonly<Record<"calls" | "messages", readonly Column<Target>[]>> = {
  calls: [
    NUMBER,
    WHERE,
    { id: "what", name: "Status", text: targetText, cell: targetText },
    {
      id: "calls",
      name: "Calls",
      look: "number",
      text: ({ attempts }) => attempts,
      cell: ({ attempts }) => attempts,
    },
    {
      id: "due",
      name: "Not before",
      text: (target) => (isPutOff(target) ? target.dueAt : ""),
      cell: (target) => (isPutOff(target) ? <Time at={target.dueAt} /> : "–"),
    },
    {
      id: "call",
      name: "Call",
      text: ({ sessionId }) => sessionId ?? "",
      cell: ({ sessionId, phone }) =>
        sessionId === null ? (
          "–"
        ) : (
          <Link to="/calls/$id" params={{ id: sessionId }}>
            Open<span className="only-heard"> the call to {phone}</span>
          </Link>
        ),
    },
  ],
  messages: [
    NUMBER,
    WHERE,
    { id: "what", name: "Status", text: writtenText, cell: writtenText },
    {
      id: "why",
      name: "Why",
      look: "long",
      text: ({ error }) => error ?? "",
      cell: ({ error }) => error ?? "–",
    },
    {
      id: "conversation",
      name: "Conversation",
      text: ({ threadId }) => threadId ?? "",
      cell: ({ threadId, phone }) =>
        threadId === null ? (
          "–"
        ) : (
          <Link to="/inbox" search={{ thread: threadId }}>
            Open<span className="only-heard"> the conversation with {phone}</span>
          </Link>
        ),
    },
  ],
};
