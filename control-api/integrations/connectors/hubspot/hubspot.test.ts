import { HUBSPOT_TOKEN, startFakeHubspot } from "../../../../testkit/fakes/connectors/hubspot.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const page = (kind: string, id: string) => `https://app-eu1.hubspot.com/contacts/4242/record/${kind}/${id}`;
const ADA = {
  id: "51",
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "+14155550101",
  url: page("0-1", "51"),
};
const TICKET = { id: "9", subject: "Parcel is late", status: "1", url: page("0-5", "9") };
const refused = (status: number, category: string) => ({
  status,
  json: { status: "error", message: "This app is not allowed to do this", category },
});

connectorContract({
  connector,
  start: () => startFakeHubspot(),
  settings: {},
  forms: { "service key": { accessToken: HUBSPOT_TOKEN }, consent: { accessToken: "CJ-fake" } },
  badCredentials: { accessToken: "pat-nobody" },
  account: "HubSpot 4242",
  facts: { portalId: "4242", uiDomain: "app-eu1.hubspot.com" },
  cases: [
    { capability: "contact.lookup", args: { phone: "+1 415 555-0101" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { email: "ben@example.com" }, result: { contact: null } },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com", name: "Ada Lovelace" },
      result: { contact: { ...ADA, name: "Ada Lovelace" }, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ben@example.com", name: "Ben", fields: { city: "Rome" } },
      result: {
        contact: { id: "52", name: "Ben", email: "ben@example.com", phone: null, url: page("0-1", "52") },
        created: true,
      },
    },
    { capability: "note.create", args: { contactId: "51", text: "Called" }, result: { id: "700" } },
    { capability: "ticket.lookup", args: { id: "9" }, result: { tickets: [TICKET] } },
    { capability: "ticket.lookup", args: { email: "ada@example.com" }, result: { tickets: [TICKET] } },
    {
      capability: "ticket.create",
      args: { subject: "Where?", body: "My parcel", email: "ada@example.com" },
      result: { ticket: { id: "10", subject: "Where?", status: "1", url: page("0-5", "10") } },
    },
    { capability: "ticket.comment", args: { id: "9", body: "Called back" }, result: { ticket: TICKET } },
  ],
  missing: { capability: "ticket.lookup", args: { id: "99" } },
  faults: {
    missingScope: refused(403, "MISSING_SCOPES"),
    rateLimited: { ...refused(429, "RATE_LIMITS"), headers: { "retry-after": "10" } },
  },
});
