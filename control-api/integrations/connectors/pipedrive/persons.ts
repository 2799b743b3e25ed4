import { z } from "zod";
import type { ConnectorContext } from "../../connector.ts";
import { id, maybe, read, segment } from "../read.ts";
import { API } from "./verify.ts";

const LIMIT = 10;

const entry = z.object({
  value: z.string(),
  primary: z.boolean().nullish(),
  label: z.string().nullish(),
});
/** Searches return plain values, all other responses values with labels. */
const entries = z
  .array(z.union([entry, z.string().transform((value) => ({ value }) as z.output<typeof entry>)]))
  .nullish()
  .transform((list) => list ?? []);

export const person = z.object({ id, name: maybe, emails: entries, phones: entries });
export type Person = z.output<typeof person>;

const found = z.object({ data: z.object({ items: z.array(z.object({ item: person })) }) });

/** The first person with this email, or else this phone. */
export async function findPerson(
  { email, phone }: { readonly email?: string | undefined; readonly phone?: string | undefined },
  context: ConnectorContext,
): Promise<Person | undefined> {
  if (email !== undefined) {
    const [match] = await search({ term: email, fields: "email", exact_match: true }, context);
    if (match) return match;
  }
  if (phone === undefined) return undefined;
  // The search also matches parts of other numbers.
  const persons = await search({ term: phone, fields: "phone" }, context);
  return persons.find(({ phones }) => phones.some(({ value }) => digits(value) === digits(phone)));
}

async function search(by: Record<string, string | boolean>, { vendor }: ConnectorContext): Promise<Person[]> {
  const { body } = await vendor.send({ url: `${addressOf()}/search`, query: { ...by, limit: LIMIT } });
  return read(found, body).data.items.map(({ item }) => item);
}

export function addressOf(personId?: string): string {
  const persons = `${API}/api/v2/persons`;
  return personId === undefined ? persons : `${persons}/${segment(personId)}`;
}

export function shown({ id: personId, name, emails, phones }: Person, { facts }: ConnectorContext) {
  const { companyDomain } = facts;
  return {
    id: personId,
    name,
    email: mainOf(emails),
    phone: mainOf(phones),
    url: companyDomain === undefined ? null : `https://${companyDomain}.pipedrive.com/person/${personId}`,
  };
}

function mainOf(list: Person["emails"]): string | null {
  return (list.find(({ primary }) => primary) ?? list[0])?.value ?? null;
}

function digits(value: string): string {
  return value.replace(/\D/g, "");
}
