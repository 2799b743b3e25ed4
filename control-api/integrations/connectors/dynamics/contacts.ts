import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { maybe, read } from "../read.ts";
import { addNote, pageOf, quoted, readRecords, recordPath, saveRecord } from "./records.ts";

const SELECT = "contactid,fullname,emailaddress1,telephone1,mobilephone";
/** Numbers are stored as typed, so the query matches their end and the rest is compared here. */
const MAX_ALIKE = 100;
const END_DIGITS = 4;
/** The digits of a number that do not depend on the country prefix. */
const NUMBER_DIGITS = 9;

const contact = z.object({
  contactid: z.string(),
  fullname: maybe,
  emailaddress1: maybe,
  telephone1: maybe,
  mobilephone: maybe,
});
const found = z.object({ value: z.array(contact) });
type Contact = z.output<typeof contact>;
interface Person {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly name?: string | undefined;
}

export const contactActions = {
  "contact.lookup": async (by, context) => {
    const known = await findContact(by, context);
    return { contact: known ? shown(known, context) : null };
  },
  "contact.upsert": async ({ fields, ...person }, context) => {
    const { email, phone } = person;
    const known = await findContact(email === undefined ? { phone } : { email }, context);
    const saved = await saveContact(person, { known, fields }, context);
    return { contact: shown(saved, context), created: known === undefined };
  },
  "note.create": async ({ contactId, text }, context) => ({
    id: await addNote({ of: "contact", path: recordPath("contacts", contactId), text }, context),
  }),
} satisfies Actions;

/** The first contact with this email, or else this phone. */
export async function findContact(
  { email, phone }: Person,
  context: ConnectorContext,
): Promise<Contact | undefined> {
  if (email !== undefined) {
    const [match] = await filtered(`emailaddress1 eq ${quoted(email)}`, 1, context);
    if (match) return match;
  }
  const number = digits(phone).slice(-NUMBER_DIGITS);
  if (number === "") return undefined;
  const end = quoted(number.slice(-END_DIGITS));
  const filter = `endswith(telephone1,${end}) or endswith(mobilephone,${end})`;
  const alike = await filtered(filter, MAX_ALIKE, context);
  return alike.find(({ telephone1, mobilephone }) =>
    [telephone1, mobilephone].some((value) => digits(value).endsWith(number)),
  );
}

/** Changes the known contact, or creates one. */
export async function saveContact(
  { email, phone, name }: Person,
  { known, fields }: { known?: Contact | undefined; fields?: Readonly<Record<string, string>> | undefined },
  context: ConnectorContext,
): Promise<Contact> {
  const words = name?.split(/\s+/) ?? [];
  const json = {
    // Contacts require a last name.
    ...(known ? {} : { lastname: email?.split("@")[0] ?? phone }),
    ...fields,
    ...(email === undefined ? {} : { emailaddress1: email }),
    ...(phone === undefined ? {} : { telephone1: phone }),
    ...(name === undefined ? {} : { firstname: words.slice(0, -1).join(" "), lastname: words.at(-1) }),
  };
  const path = known ? recordPath("contacts", known.contactid) : "contacts";
  return read(contact, await saveRecord({ path, select: SELECT, json }, context));
}

async function filtered($filter: string, $top: number, context: ConnectorContext): Promise<Contact[]> {
  const query = { $select: SELECT, $filter, $orderby: "modifiedon desc", $top };
  return read(found, await readRecords("contacts", query, context)).value;
}

function shown(
  { contactid, fullname, emailaddress1, telephone1, mobilephone }: Contact,
  context: ConnectorContext,
) {
  const url = pageOf(context, "contact", contactid);
  return { id: contactid, name: fullname, email: emailaddress1, phone: telephone1 ?? mobilephone, url };
}

function digits(value: string | null | undefined): string {
  return value?.replace(/\D/g, "") ?? "";
}
