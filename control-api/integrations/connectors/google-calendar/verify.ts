import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { maybe, read } from "../read.ts";
import { eventsUrl } from "./events.ts";

const calendar = z.object({ summary: maybe, timeZone: maybe });

/** Lists events rather than reading the calendar, which would take one more scope. */
export async function verify(context: ConnectorContext): Promise<Verified> {
  const { body } = await context.vendor.send({ url: eventsUrl(context), query: { maxResults: 1 } });
  const { summary, timeZone } = read(calendar, body);
  return {
    account: summary ?? context.settings.calendarId ?? "Google Calendar",
    facts: { timeZone: timeZone ?? "UTC" },
  };
}
