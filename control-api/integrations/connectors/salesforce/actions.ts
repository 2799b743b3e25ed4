import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { maybe, read, segment } from "../read.ts";
import { dataUrl, instanceOf } from "./verify.ts";

const FIELDS = "Id, Name, Email, Phone, MobilePhone";
/** Numbers are stored as typed; characters between the digits are compared here. */
const MAX_ALIKE = 25;
/** The digits of a number that do not depend on the country prefix. */
const NUMBER_DIGITS = 9;
const MAX_SUBJECT = 80;

const contact = z.object({ Id: z.string(), Name: maybe, Email: maybe, Phone: maybe, MobilePhone: maybe });
const found = z.object({ records: z.array(contact) });
const created = z.object({ id: z.string() });
type Contact = z.output<typeof contact>;

export const actions: Actions = {
  "contact.lookup": async (by, context) => {
    const known = await findContact(by, context);
    return { contact: known ? shown(known, context) : null };
  },
  "contact.upsert": async ({ email, phone, name, fields }, context) => {
    const known = await findContact(email === undefined ? { phone } : { email }, context);
    const words = name?.split(/\s+/) ?? [];
    const json = {
      ...fields,
      ...(email === undefined ? {} : { Email: email }),
      ...(phone === undefined ? {} : { Phone: phone }),
      ...(name === undefined ? {} : { FirstName: words.slice(0, -1).join(" "), LastName: words.at(-1) }),
    };
    const changed = { Email: email ?? null, Phone: phone ?? null, Name: name ?? null };
    const url = `${dataUrl(context)}/sobjects/Contact`;
    if (known) {
      await context.vendor.send({ method: "PATCH", url: `${url}/${segment(known.Id)}`, json });
      return { contact: shown(merged(known, changed), context), created: false };
    }
    // Contacts require a last name.
    const lastName = email?.split("@")[0] ?? phone;
    const { body } = await context.vendor.send({
      method: "POST",
      url,
      json: { LastName: lastName, ...json },
    });
    const made = {
      ...changed,
      Id: read(created, body).id,
      Name: name ?? lastName ?? null,
      MobilePhone: null,
    };
    return { contact: shown(made, context), created: true };
  },
  "note.create": async ({ contactId, text }, context) => {
    const subject = text.replace(/\s+/g, " ").slice(0, MAX_SUBJECT).toWellFormed();
    const { body } = await context.vendor.send({
      method: "POST",
      url: `${dataUrl(context)}/sobjects/Task`,
      // A completed task appears in the contact's timeline.
      json: { WhoId: contactId, Subject: subject, Description: text, Status: "Completed" },
    });
    return read(created, body);
  },
};

async function findContact(
  { email, phone }: { readonly email?: string | undefined; readonly phone?: string | undefined },
  context: ConnectorContext,
): Promise<Contact | undefined> {
  if (email !== undefined) {
    const [match] = await query(`Email = ${quoted(email)}`, 1, context);
    if (match) return match;
  }
  const number = phone?.replace(/\D/g, "").slice(-NUMBER_DIGITS);
  if (number === undefined) return undefined;
  const like = quoted(`%${[...number].join("%")}`);
  const alike = await query(`Phone LIKE ${like} OR MobilePhone LIKE ${like}`, MAX_ALIKE, context);
  const isIts = (value: string | null) => value?.replace(/\D/g, "").endsWith(number) ?? false;
  return alike.find(({ Phone, MobilePhone }) => isIts(Phone) || isIts(MobilePhone));
}

async function query(where: string, limit: number, context: ConnectorContext): Promise<Contact[]> {
  const q = `SELECT ${FIELDS} FROM Contact WHERE ${where} ORDER BY LastModifiedDate DESC LIMIT ${limit}`;
  const { body } = await context.vendor.send({ url: `${dataUrl(context)}/query`, query: { q } });
  return read(found, body).records;
}

/** A SOQL string literal. */
function quoted(value: string): string {
  return `'${value.replace(/[\\'"]/g, "\\$&").replace(/\p{Cc}/gu, " ")}'`;
}

function merged(known: Contact, changed: Pick<Contact, "Email" | "Phone" | "Name">): Contact {
  const { Email, Phone, Name } = changed;
  return { ...known, Email: Email ?? known.Email, Phone: Phone ?? known.Phone, Name: Name ?? known.Name };
}

function shown({ Id, Name, Email, Phone, MobilePhone }: Contact, context: ConnectorContext) {
  const url = `${instanceOf(context)}/lightning/r/Contact/${Id}/view`;
  return { id: Id, name: Name, email: Email, phone: Phone ?? MobilePhone, url };
}
