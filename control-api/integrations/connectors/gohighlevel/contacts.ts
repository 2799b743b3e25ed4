import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { id, maybe, read, segment } from "../read.ts";
import { API } from "./verify.ts";

const contact = z.object({
  id,
  name: maybe,
  firstName: maybe,
  lastName: maybe,
  email: maybe,
  phone: maybe,
});
type Contact = z.output<typeof contact>;

const upserted = z.object({ new: z.boolean().nullish(), contact });

/** Built-in fields of every contact; all others are custom. */
const OWN_FIELDS = new Set([
  "firstName",
  "lastName",
  "companyName",
  "address1",
  "city",
  "state",
  "postalCode",
  "country",
  "website",
  "timezone",
  "dateOfBirth",
  "gender",
  "source",
  "assignedTo",
]);
const FIELD_ID = /^[A-Za-z0-9]{20}$/;

export const contactActions = {
  "contact.lookup": async (by, context) => {
    const found = await findContact(by, context);
    return { contact: found ? shown(found, context) : null };
  },
  "contact.upsert": async ({ email, phone, name, fields = {} }, context) => {
    const saved = await saveContact({ email, phone, name, ...fieldsOf(fields) }, context);
    return { contact: shown(saved.contact, context), created: saved.new === true };
  },
  "note.create": async ({ contactId, text }, context) => ({ id: await addNote(contactId, text, context) }),
} satisfies Actions;

export async function findContact(
  { email, phone }: { readonly email?: string | undefined; readonly phone?: string | undefined },
  { vendor, settings }: ConnectorContext,
): Promise<Contact | undefined> {
  const { body } = await vendor.send({
    url: `${API}/contacts/search/duplicate`,
    query: { locationId: settings.locationId, email, number: phone },
  });
  return read(z.object({ contact: contact.nullish() }), body).contact ?? undefined;
}

/** Updates the contact with this email or phone, or creates one; undefined values stay unchanged. */
export async function saveContact(values: Record<string, unknown>, { vendor, settings }: ConnectorContext) {
  const { body } = await vendor.send({
    method: "POST",
    url: `${API}/contacts/upsert`,
    json: { locationId: settings.locationId, ...values },
  });
  return read(upserted, body);
}

export async function addNote(
  contactId: string,
  text: string,
  { vendor }: ConnectorContext,
): Promise<string> {
  const { body } = await vendor.send({
    method: "POST",
    url: `${API}/contacts/${segment(contactId)}/notes`,
    json: { body: text },
  });
  return read(z.object({ note: z.object({ id }) }), body).note.id;
}

function fieldsOf(fields: Readonly<Record<string, string>>) {
  const entries = Object.entries(fields);
  const own = entries.filter(([name]) => OWN_FIELDS.has(name));
  const custom = entries
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => ({ [FIELD_ID.test(name) ? "id" : "key"]: name, field_value: value }));
  return { ...Object.fromEntries(own), ...(custom.length === 0 ? {} : { customFields: custom }) };
}

function shown(found: Contact, { settings }: ConnectorContext) {
  const { id: contactId, name, firstName, lastName, email, phone } = found;
  const parts = [firstName, lastName].filter((part) => part !== null).join(" ");
  return {
    id: contactId,
    name: parts || name,
    email,
    phone,
    url: `https://app.gohighlevel.com/v2/location/${settings.locationId}/contacts/detail/${contactId}`,
  };
}
