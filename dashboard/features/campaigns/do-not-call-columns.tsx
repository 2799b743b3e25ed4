import type { DncNumber } from "@parley/shared/contracts/do-not-call.ts";
import { Link } from "@tanstack/react-router";
import { Phone } from "../../ui/phone.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";

const SOURCES: Readonly<Record<DncNumber["source"], string>> = {
  member: "Added by hand",
  import: "Imported",
  call: "Asked in a call",
  key: "Pressed a key in a call",
  message: "Asked in a message",
  whatsapp: "Stopped marketing in WhatsApp",
};

/** Columns of the do-not-call list. */
export const DO_NOT_CALL_COLUMNS: readonly Column<DncNumber>[] = [
  {
    id: "number",
    name: "Number",
    text: ({ number }) => number,
    cell: ({ number }) => <Phone number={number} />,
  },
  {
    id: "how",
    name: "How",
    text: ({ source }) => SOURCES[source],
    cell: ({ source, sessionId }) =>
      sessionId === null ? (
        SOURCES[source]
      ) : (
        <Link to="/calls/$id" params={{ id: sessionId }}>
          {SOURCES[source]}
        </Link>
      ),
  },
  {
    id: "why",
    name: "Why",
    look: "long",
    text: ({ reason }) => reason,
    cell: ({ reason }) => (reason === "" ? "–" : reason),
  },
  {
    id: "since",
    name: "Since",
    text: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
