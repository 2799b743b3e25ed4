import {
  DYNAMICS,
  DYNAMICS_IDS,
  dynamicsError,
  startFakeDynamics,
} from "../../../../testkit/fakes/connectors/dynamics.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const URL = "https://shoes.crm4.dynamics.com";
const page = (table: string, id: string) => `${URL}/main.aspx?pagetype=entityrecord&etn=${table}&id=${id}`;
const ADA = {
  id: DYNAMICS_IDS.ada,
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "+1 (415) 555-0101",
  url: page("contact", DYNAMICS_IDS.ada),
};
const BEN = {
  id: DYNAMICS_IDS.ben,
  email: "ben@example.com",
  phone: null,
  url: page("contact", DYNAMICS_IDS.ben),
};
const CASE = {
  id: DYNAMICS_IDS.case,
  subject: "Parcel is late",
  status: "In Progress",
  url: page("incident", DYNAMICS_IDS.case),
};

connectorContract({
  connector,
  start: startFakeDynamics,
  settings: { url: "Shoes.crm4.dynamics.com/" },
  forms: { "app credentials": DYNAMICS },
  badCredentials: { ...DYNAMICS, clientSecret: "another~secret" },
  account: "shoes.crm4.dynamics.com",
  facts: { organizationId: "66666666-6666-6666-6666-666666666666" },
  cases: [
    { capability: "contact.lookup", args: { phone: "+1 415 555-0101" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { email: "o'neil@example.com" }, result: { contact: null } },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com", name: "Ada Lovelace" },
      result: { contact: { ...ADA, name: "Ada Lovelace" }, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ben@example.com" },
      result: { contact: { ...BEN, name: "ben" }, created: true },
    },
    {
      capability: "note.create",
      args: { contactId: DYNAMICS_IDS.ada, text: "Called" },
      result: { id: DYNAMICS_IDS.note },
    },
    { capability: "ticket.lookup", args: { id: "CAS-01001" }, result: { tickets: [CASE] } },
    { capability: "ticket.lookup", args: { email: "ada@example.com" }, result: { tickets: [CASE] } },
    {
      capability: "ticket.create",
      args: { subject: "Where?", body: "My parcel", email: "ben@example.com", name: "Ben Bell" },
      result: {
        ticket: {
          ...CASE,
          id: DYNAMICS_IDS.newCase,
          subject: "Where?",
          url: page("incident", DYNAMICS_IDS.newCase),
        },
      },
    },
    {
      capability: "ticket.comment",
      args: { id: DYNAMICS_IDS.case, body: "Called back" },
      result: { ticket: CASE },
    },
  ],
  missing: { capability: "ticket.lookup", args: { id: "44444444-4444-4444-4444-444444444449" } },
  faults: {
    missingScope: dynamicsError(403, "0x80040220", "Principal user is missing prvReadContact privilege"),
    rateLimited: {
      ...dynamicsError(429, "0x80072322", "Number of requests exceeded the limit of 6000"),
      headers: { "retry-after": "30" },
    },
  },
});
