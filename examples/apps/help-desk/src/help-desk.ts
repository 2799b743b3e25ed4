import type { Platform } from "platform";

export interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly status: string;
}

export interface Incident {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

type Bridge = Pick<Platform, "calls" | "http">;

/** Of the person on the other side of a call, by their number. The connected account's credential is added by the server. */
export async function ticketsOf(
  callId: string,
  subdomain: string,
  platform: Bridge,
): Promise<readonly Ticket[]> {
  const call = await platform.calls.get(callId);
  const number = call.direction === "outbound" ? call.to_number : call.from_number;
  if (number === null) return [];
  const query = new URLSearchParams({ query: `type:ticket status<solved requester:${number}` });
  const { status, body } = await platform.http.fetch({
    url: `https://${subdomain}.zendesk.com/api/v2/search.json?${query}`,
    connection: "zendesk",
  });
  if (status !== 200) throw new Error(`Zendesk answered ${status}.`);
  return (JSON.parse(body) as { results: Ticket[] }).results;
}

/** `{{secret:statusToken}}` is filled in by the server, for this host only: the page never has it. */
export async function incidents(
  statusPage: string,
  platform: Pick<Bridge, "http">,
): Promise<readonly Incident[]> {
  const { status, body } = await platform.http.fetch({
    url: `https://api.statuspage.io/v1/pages/${encodeURIComponent(statusPage)}/incidents/unresolved`,
    headers: { authorization: "OAuth {{secret:statusToken}}" },
  });
  if (status !== 200) throw new Error(`The status page answered ${status}.`);
  return JSON.parse(body) as Incident[];
}
