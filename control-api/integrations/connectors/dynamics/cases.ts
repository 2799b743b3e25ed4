import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { id as anId, maybe, read } from "../read.ts";
import { findContact, saveContact } from "./contacts.ts";
import { addNote, pageOf, quoted, readRecords, recordPath, saveRecord } from "./records.ts";

const SELECT = "incidentid,ticketnumber,title,statuscode";
const MAX_CASES = 10;
/** The annotation with the status's display name. */
const STATUS = "statuscode@OData.Community.Display.V1.FormattedValue";
const GUID = /^[0-9a-f]{8}-/i;

const incident = z.object({ incidentid: z.string(), title: maybe, statuscode: anId, [STATUS]: maybe });
const found = z.object({ value: z.array(incident) });
type Incident = z.output<typeof incident>;

export const caseActions = {
  "ticket.lookup": async ({ id, email }, context) => {
    if (id !== undefined) return { tickets: [shown(await getCase(id, context), context)] };
    const contact = await findContact({ email }, context);
    if (!contact) return { tickets: [] };
    const cases = await filtered(`_customerid_value eq ${contact.contactid}`, context);
    return { tickets: cases.map((one) => shown(one, context)) };
  },
  "ticket.create": async ({ subject, body, email, name }, context) => {
    if (email === undefined) {
      const message = "A Dynamics 365 case needs a customer. Set their email.";
      throw new VendorError("rejected", message);
    }
    const contact =
      (await findContact({ email }, context)) ?? (await saveContact({ email, name }, {}, context));
    const customer = `/${recordPath("contacts", contact.contactid)}`;
    const json = { title: subject, description: body, "customerid_contact@odata.bind": customer };
    const saved = await saveRecord({ path: "incidents", select: SELECT, json }, context);
    return { ticket: shown(read(incident, saved), context) };
  },
  "ticket.comment": async ({ id, body, public: isPublic }, context) => {
    if (isPublic) {
      const message = "Dynamics 365 cases can only have notes for the team, not comments to customers.";
      throw new VendorError("rejected", message);
    }
    const known = await getCase(id, context);
    await addNote({ of: "incident", path: recordPath("incidents", known.incidentid), text: body }, context);
    return { ticket: shown(known, context) };
  },
} satisfies Actions;

/** Finds a case by its id, or by the number that people know. */
async function getCase(id: string, context: ConnectorContext): Promise<Incident> {
  if (GUID.test(id))
    return read(incident, await readRecords(recordPath("incidents", id), { $select: SELECT }, context));
  const [match] = await filtered(`ticketnumber eq ${quoted(id)}`, context);
  if (match) return match;
  throw new VendorError("not_found", "Dynamics 365 has no case with this number.");
}

async function filtered($filter: string, context: ConnectorContext): Promise<Incident[]> {
  const query = { $select: SELECT, $filter, $orderby: "createdon desc", $top: MAX_CASES };
  return read(found, await readRecords("incidents", query, context)).value;
}

function shown({ incidentid, title, statuscode, ...rest }: Incident, context: ConnectorContext) {
  const status = rest[STATUS] ?? statuscode;
  return { id: incidentid, subject: title, status, url: pageOf(context, "incident", incidentid) };
}
