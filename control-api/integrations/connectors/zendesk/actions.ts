import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { id, maybe, read, segment } from "../read.ts";

const MAX_TICKETS = 10;
const ticket = z.object({ id, subject: maybe, status: z.string() });
const one = z.object({ ticket });

export const actions: Actions = {
  "ticket.lookup": async ({ id, email }, context) => {
    const { vendor } = context;
    if (id !== undefined) {
      const answer = await vendor.send({ url: `${base(context)}/tickets/${segment(id)}.json` });
      return { tickets: [shown(read(one, answer.body).ticket, context)] };
    }
    const query = `type:ticket requester:"${(email ?? "").replaceAll('"', "")}"`;
    const { body } = await vendor.send({
      url: `${base(context)}/search.json`,
      query: { query, sort_by: "created_at", sort_order: "desc", per_page: MAX_TICKETS },
    });
    const { results } = read(z.object({ results: z.array(ticket) }), body);
    return { tickets: results.slice(0, MAX_TICKETS).map((found) => shown(found, context)) };
  },
  "ticket.create": async ({ subject, body, email, name }, context) => {
    const requester = email === undefined ? {} : { requester: { email, name: name ?? email } };
    const { idempotencyKey } = context;
    const answer = await context.vendor.send({
      method: "POST",
      url: `${base(context)}/tickets.json`,
      json: { ticket: { subject, comment: { body }, ...requester } },
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
    });
    return { ticket: shown(read(one, answer.body).ticket, context) };
  },
  "ticket.comment": async ({ id, body, public: isPublic }, context) => {
    const answer = await context.vendor.send({
      method: "PUT",
      url: `${base(context)}/tickets/${segment(id)}.json`,
      json: { ticket: { comment: { body, public: isPublic } } },
    });
    return { ticket: shown(read(one, answer.body).ticket, context) };
  },
};

function base({ settings }: ConnectorContext): string {
  return `${settings.url}/api/v2`;
}

function shown(found: z.output<typeof ticket>, { settings }: ConnectorContext) {
  return { ...found, url: `${settings.url}/agent/tickets/${found.id}` };
}
