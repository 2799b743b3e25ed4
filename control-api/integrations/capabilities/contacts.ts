import { z } from "zod";
import { anyOf, capability, email, phone, text } from "./capability.ts";

const contact = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The contact's page at the vendor. */
  url: z.string().nullable(),
});

const byWhat = anyOf("email", "phone");

export const contacts = {
  "contact.lookup": capability({
    name: "Look up a contact",
    description: "Finds a contact by email or phone. The contact is null when nobody is known by it.",
    isWrite: false,
    arguments: z
      .strictObject({ email: email.optional(), phone: phone.optional() })
      .refine(byWhat.isMet, byWhat.message),
    result: z.object({ contact: contact.nullable() }),
  }),
  "contact.upsert": capability({
    name: "Create or update a contact",
    description: "Saves a contact: updates the one with this email or phone, or creates one.",
    isWrite: true,
    arguments: z
      .strictObject({
        email: email.optional(),
        phone: phone.optional(),
        name: text(200).optional(),
        fields: z
          .record(z.string().regex(/^[A-Za-z0-9_]{1,64}$/, "a field's name"), z.string().max(2_000))
          .describe("More fields, by the name they have at the vendor")
          .optional(),
      })
      .refine(byWhat.isMet, byWhat.message),
    result: z.object({ contact, created: z.boolean() }),
  }),
  "note.create": capability({
    name: "Add a note to a contact",
    description: "Adds a note to a contact that was looked up or saved before.",
    isWrite: true,
    arguments: z.strictObject({ contactId: text(64), text: text(10_000) }),
    result: z.object({ id: z.string() }),
  }),
};
