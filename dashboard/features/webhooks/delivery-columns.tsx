import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import type { ReactNode } from "react";
import type { Column } from "../../ui/table/columns.ts";
import { ExactTime } from "../../ui/time.tsx";
import { STATUSES, StatusBadge } from "./badges.tsx";
import { msText } from "./health-labels.ts";

/** What every list of deliveries shows. */
type Told = Pick<Delivery, "status" | "attempts" | "createdAt">;

export const STATUS: Column<Told> = {
  id: "status",
  name: "Status",
  look: "plain",
  text: ({ status }) => STATUSES[status].name,
  cell: ({ status }) => <StatusBadge status={status} />,
};

export const ATTEMPTS: Column<Told> = {
  id: "attempts",
  name: "Attempts",
  look: "number",
  text: ({ attempts }) => attempts,
  cell: ({ attempts }) => attempts,
};

export const CREATED: Column<Told> = {
  id: "created",
  name: "Created",
  text: ({ createdAt }) => createdAt,
  cell: ({ createdAt }) => <ExactTime at={createdAt} />,
};

/** Columns of an endpoint's deliveries; `onOpen` opens one. */
export function deliveryColumns(onOpen: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      id: "event",
      name: "Event",
      text: ({ event }) => event,
      cell: ({ id, event }) => (
        <button type="button" className="link-button" onClick={() => onOpen(id)}>
          {breakable(event)}
          <span className="only-heard"> {id}</span>
        </button>
      ),
    },
    STATUS,
    { id: "response", name: "Response", text: answerText, cell: answerText },
    {
      id: "duration",
      name: "Duration",
      look: "number",
      text: ({ durationMs }) => msText(durationMs),
      cell: ({ durationMs }) => msText(durationMs),
    },
    ATTEMPTS,
    CREATED,
  ];
}

/** An event, broken only after a dot where there is no room for it. */
function breakable(event: string): ReactNode {
  return event.split(".").flatMap((part, at) => (at === 0 ? [part] : [".", <wbr key={part} />, part]));
}

/** The receiver's answer to the latest attempt, as short as possible. */
function answerText({ responseStatus, error, attempts }: Delivery): string {
  if (responseStatus !== null) return String(responseStatus);
  if (attempts === 0) return "–";
  return error === null ? "–" : "No response";
}
