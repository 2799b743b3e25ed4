import { z } from "zod";
import { anyOf, capability, email, text } from "./capability.ts";

const ticket = z.object({
  id: z.string(),
  subject: z.string().nullable(),
  status: z.string(),
  url: z.string().nullable(),
});

const byWhat = anyOf("id", "email");

export const tickets = {
  "ticket.lookup": capability({
    name: "Look up tickets",
    description: "Finds a ticket by its id, or a customer's newest tickets by their email.",
    isWrite: false,
    arguments: z
      .strictObject({ id: text(64).optional(), email: email.optional() })
      .refine(byWhat.isMet, byWhat.message),
    result: z.object({ tickets: z.array(ticket) }),
  }),
  "ticket.create": capability({
    name: "Create a ticket",
    description: "Opens a support ticket for a customer.",
    isWrite: true,
    arguments: z.strictObject({
      subject: text(200),
      body: text(10_000),
      email: email.optional(),
      name: text(200).optional(),
    }),
    result: z.object({ ticket }),
  }),
  "ticket.comment": capability({
    name: "Comment on a ticket",
    description: "Adds a comment to a ticket: public ones are sent to the customer, others are for the team.",
    isWrite: true,
    arguments: z.strictObject({ id: text(64), body: text(10_000), public: z.boolean().default(false) }),
    result: z.object({ ticket }),
  }),
};
