import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { id, maybe, read, segment } from "../read.ts";
import { API } from "./verify.ts";

const PROPERTIES = ["firstname", "lastname", "email", "phone"];
const NOTE_TO_CONTACT = 202;

const contact = z.object({
  id,
  properties: z.object({ firstname: maybe, lastname: maybe, email: maybe, phone: maybe }),
});
const results = z.object({ results: z.array(contact) });
type Contact = z.output<typeof contact>;

export const contactActions = {
  "contact.lookup": async (by, context) => {
    const found = await findContact(by, context);
    return { contact: found ? shown(found, context) : null };
  },
  "contact.upsert": async ({ email, phone, name, fields }, context) => {
    const [firstname = "", ...rest] = name?.split(/\s+/) ?? [];
    const properties = {
      ...fields,
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(name === undefined ? {} : { firstname, lastname: rest.join(" ") }),
    };
    const known = await findContact(email === undefined ? { phone } : { email }, context);
    const url = `${API}/crm/v3/objects/contacts`;
    const saved = await context.vendor.send(
      known
        ? { method: "PATCH", url: `${url}/${segment(known.id)}`, json: { properties } }
        : { method: "POST", url, json: { properties } },
    );
    return { contact: shown(read(contact, saved.body), context), created: known === undefined };
  },
  "note.create": async ({ contactId, text }, { vendor, nowMs }) => {
    const { body } = await vendor.send({
      method: "POST",
      url: `${API}/crm/v3/objects/notes`,
      json: {
        properties: { hs_note_body: text, hs_timestamp: new Date(nowMs()).toISOString() },
        associations: [associated(contactId, NOTE_TO_CONTACT)],
      },
    });
    return read(z.object({ id }), body);
  },
} satisfies Actions;

/** The first contact with this email, or else this phone. */
export async function findContact(
  { email, phone }: { readonly email?: string | undefined; readonly phone?: string | undefined },
  { vendor }: ConnectorContext,
): Promise<Contact | undefined> {
  const filter = (propertyName: string, value: string) => [{ propertyName, operator: "EQ", value }];
  const filterGroups = [
    ...(email === undefined ? [] : [{ filters: filter("email", email) }]),
    ...(phone === undefined ? [] : [{ filters: filter("phone", phone) }]),
  ];
  const { body } = await vendor.send({
    method: "POST",
    url: `${API}/crm/v3/objects/contacts/search`,
    json: { filterGroups, properties: PROPERTIES, limit: 1 },
  });
  return read(results, body).results[0];
}

/** The association of a new object with an existing one. */
export function associated(toId: string, associationTypeId: number) {
  return { to: { id: toId }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId }] };
}

function shown({ id: contactId, properties }: Contact, { facts }: ConnectorContext) {
  const { firstname, lastname, email, phone } = properties;
  const name = [firstname, lastname].filter((part) => part !== null).join(" ");
  const page = `https://${facts.uiDomain}/contacts/${facts.portalId}/record/0-1/${contactId}`;
  return { id: contactId, name: name || null, email, phone, url: facts.portalId === undefined ? null : page };
}
