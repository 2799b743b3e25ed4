import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id, maybe, read, segment } from "../read.ts";
import { associated, findContact } from "./contacts.ts";
import { API } from "./verify.ts";

const TICKET_TO_CONTACT = 16;
const NOTE_TO_TICKET = 228;
const MAX_TICKETS = 10;
const PROPERTIES = ["subject", "hs_pipeline_stage"];

const ticket = z.object({ id, properties: z.object({ subject: maybe, hs_pipeline_stage: maybe }) });
const URL = `${API}/crm/v3/objects/tickets`;

export const ticketActions = {
  "ticket.lookup": async ({ id: ticketId, email }, context) => {
    if (ticketId !== undefined) return { tickets: [await getTicket(ticketId, context)] };
    const contact = await findContact({ email }, context);
    if (!contact) return { tickets: [] };
    const { body } = await context.vendor.send({
      method: "POST",
      url: `${URL}/search`,
      json: {
        filterGroups: [
          { filters: [{ propertyName: "associations.contact", operator: "EQ", value: contact.id }] },
        ],
        sorts: [{ propertyName: "createdate", direction: "DESCENDING" }],
        properties: PROPERTIES,
        limit: MAX_TICKETS,
      },
    });
    const { results } = read(z.object({ results: z.array(ticket) }), body);
    return { tickets: results.map((found) => shown(found, context)) };
  },
  "ticket.create": async ({ subject, body, email }, context) => {
    const contact = email === undefined ? undefined : await findContact({ email }, context);
    const answer = await context.vendor.send({
      method: "POST",
      url: URL,
      json: {
        properties: { subject, content: body, hs_pipeline: "0", hs_pipeline_stage: "1" },
        ...(contact ? { associations: [associated(contact.id, TICKET_TO_CONTACT)] } : {}),
      },
    });
    return { ticket: shown(read(ticket, answer.body), context) };
  },
  "ticket.comment": async ({ id: ticketId, body, public: isPublic }, context) => {
    if (isPublic) {
      throw new VendorError(
        "rejected",
        "HubSpot tickets take notes for the team only, no comments to customers.",
      );
    }
    const known = await getTicket(ticketId, context);
    await context.vendor.send({
      method: "POST",
      url: `${API}/crm/v3/objects/notes`,
      json: {
        properties: { hs_note_body: body, hs_timestamp: new Date(context.nowMs()).toISOString() },
        associations: [associated(ticketId, NOTE_TO_TICKET)],
      },
    });
    return { ticket: known };
  },
} satisfies Actions;

async function getTicket(ticketId: string, context: ConnectorContext) {
  const query = { properties: PROPERTIES.join(",") };
  const { body } = await context.vendor.send({ url: `${URL}/${segment(ticketId)}`, query });
  return shown(read(ticket, body), context);
}

function shown({ id: ticketId, properties }: z.output<typeof ticket>, { facts }: ConnectorContext) {
  const page = `https://${facts.uiDomain}/contacts/${facts.portalId}/record/0-5/${ticketId}`;
  return {
    id: ticketId,
    subject: properties.subject,
    status: properties.hs_pipeline_stage ?? "unknown",
    url: facts.portalId === undefined ? null : page,
  };
}
