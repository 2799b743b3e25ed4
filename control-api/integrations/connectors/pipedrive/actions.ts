import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id, read } from "../read.ts";
import { addressOf, findPerson, type Person, person, shown } from "./persons.ts";
import { API } from "./verify.ts";

/** Custom fields are named by hashes. */
const CUSTOM_FIELD = /^[0-9a-f]{40}$/;

const saved = z.object({ data: person });

type Entry = Person["emails"][number];

export const actions: Actions = {
  "contact.lookup": async (by, context) => {
    const found = await findPerson(by, context);
    return { contact: found ? shown(found, context) : null };
  },
  "contact.upsert": async (given, context) => {
    const { email, phone, name, fields = {} } = given;
    const found = await findPerson(email === undefined ? { phone } : { email }, context);
    const known = found && (await getPerson(found.id, context));
    const emails = withValue(known?.emails, email);
    const phones = withValue(known?.phones, phone);
    const changes = {
      ...fieldsOf(fields),
      ...(emails ? { emails } : {}),
      ...(phones ? { phones } : {}),
      ...(name === undefined ? {} : { name }),
    };
    if (known && Object.keys(changes).length === 0) return { contact: shown(known, context), created: false };
    const { body } = await context.vendor.send(
      known
        ? { method: "PATCH", url: addressOf(known.id), json: changes }
        : { method: "POST", url: addressOf(), json: { name: email ?? phone, ...changes } },
    );
    return { contact: shown(read(saved, body).data, context), created: known === undefined };
  },
  "note.create": async ({ contactId, text }, { vendor }) => {
    const { body } = await vendor.send({
      method: "POST",
      url: `${API}/v1/notes`,
      json: { content: html(text), person_id: numberOf(contactId) },
    });
    return read(z.object({ data: z.object({ id }) }), body).data;
  },
};

/** Reads a person with the labels of their values, which a search omits. */
async function getPerson(personId: string, { vendor }: ConnectorContext): Promise<Person> {
  const { body } = await vendor.send({ url: addressOf(personId) });
  return read(saved, body).data;
}

/** An update replaces all values, so known ones are sent along. Undefined when the value is already known. */
function withValue(known: Entry[] = [], value: string | undefined): Entry[] | undefined {
  if (value === undefined || known.some((entry) => entry.value === value)) return undefined;
  return [...known, { value, primary: known.length === 0, label: "work" }];
}

function fieldsOf(fields: Readonly<Record<string, string>>) {
  const entries = Object.entries(fields);
  const custom = entries.filter(([key]) => CUSTOM_FIELD.test(key));
  const own = entries.filter(([key]) => !CUSTOM_FIELD.test(key));
  return {
    ...Object.fromEntries(own),
    ...(custom.length === 0 ? {} : { custom_fields: Object.fromEntries(custom) }),
  };
}

function numberOf(contactId: string): number {
  if (/^\d{1,15}$/.test(contactId)) return Number(contactId);
  throw new VendorError("not_found", "Pipedrive has no contact with this id.");
}

/** Escapes a caller's words: notes are HTML. */
function html(text: string): string {
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return plain.replaceAll("\n", "<br>");
}
