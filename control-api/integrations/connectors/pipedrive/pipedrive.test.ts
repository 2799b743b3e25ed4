import { ok } from "../../../../testkit/fakes/connectors/fake-vendor.ts";
import {
  PIPEDRIVE_TOKEN,
  pipedriveRefusal,
  startFakePipedrive,
} from "../../../../testkit/fakes/connectors/pipedrive.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const page = (id: string) => `https://shoes.pipedrive.com/person/${id}`;
const ADA = {
  id: "51",
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "+1 415-555-0101",
  url: page("51"),
};

connectorContract({
  connector,
  start: () => startFakePipedrive(),
  settings: {},
  forms: { "API token": { apiToken: PIPEDRIVE_TOKEN }, consent: { accessToken: "v1u:fake" } },
  badCredentials: { apiToken: "pd-nobody" },
  account: "Shoes Inc",
  facts: { companyDomain: "shoes" },
  cases: [
    { capability: "contact.lookup", args: { email: "ada@example.com" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { phone: "+1 (415) 555 0101" }, result: { contact: ADA } },
    { capability: "contact.lookup", args: { phone: "55501" }, result: { contact: null } },
    { capability: "contact.lookup", args: { email: "ben@example.com" }, result: { contact: null } },
    {
      capability: "contact.upsert",
      args: { phone: "+14155550101", name: "Ada Lovelace" },
      result: { contact: { ...ADA, name: "Ada Lovelace" }, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com", phone: "+493012345" },
      result: { contact: ADA, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ada@example.com" },
      result: { contact: ADA, created: false },
    },
    {
      capability: "contact.upsert",
      args: { email: "ben@example.com", fields: { job_title: "Baker", [`${"a1".repeat(20)}`]: "Rome" } },
      result: {
        contact: {
          id: "52",
          name: "ben@example.com",
          email: "ben@example.com",
          phone: null,
          url: page("52"),
        },
        created: true,
      },
    },
    { capability: "note.create", args: { contactId: "51", text: "Called <twice>" }, result: { id: "700" } },
  ],
  missing: { capability: "note.create", args: { contactId: "99", text: "Called" } },
  faults: {
    missingScope: pipedriveRefusal(403, "Forbidden"),
    rateLimited: { ...pipedriveRefusal(429, "request over limit"), headers: { "retry-after": "10" } },
    hidden: {
      "a refusal": { fault: ok({ success: false, error: "Something is wrong" }), is: "failed" },
    },
  },
});
