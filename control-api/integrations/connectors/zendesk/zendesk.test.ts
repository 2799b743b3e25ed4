import { expect, it } from "vitest";
import { startFakeZendesk, ZENDESK } from "../../../../testkit/fakes/connectors/zendesk.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const url = (id: number) => `https://shoes.zendesk.com/agent/tickets/${id}`;
const TICKET = { id: "35", subject: "Parcel is late", status: "open", url: url(35) };

connectorContract({
  connector,
  start: () => startFakeZendesk(),
  settings: { url: "https://Shoes.zendesk.com/" },
  forms: {
    "API token": ZENDESK.basic,
    "OAuth access token": ZENDESK.bearer,
    consent: { accessToken: "zd-consent-1" },
  },
  badCredentials: { email: "agent@example.org", apiToken: "wrong-token" },
  account: "shoes.zendesk.com",
  cases: [
    { capability: "ticket.lookup", args: { id: "35" }, result: { tickets: [TICKET] } },
    { capability: "ticket.lookup", args: { email: "ada@example.com" }, result: { tickets: [TICKET] } },
    { capability: "ticket.lookup", args: { email: "ben@example.com" }, result: { tickets: [] } },
    {
      capability: "ticket.create",
      args: { subject: "Where is it?", body: "My parcel", email: "ada@example.com" },
      result: { ticket: { id: "36", subject: "Where is it?", status: "new", url: url(36) } },
    },
    {
      capability: "ticket.comment",
      args: { id: "35", body: "On its way", public: true },
      result: { ticket: { ...TICKET, status: "pending" } },
    },
  ],
  missing: { capability: "ticket.lookup", args: { id: "99" } },
  faults: {
    missingScope: { status: 403, json: { error: { title: "Forbidden", message: "You do not have access" } } },
    rateLimited: { status: 429, json: { error: "APIRateLimitExceeded" }, headers: { "retry-after": "45" } },
  },
});

it.each([
  "http://shoes.zendesk.com",
  "https://shoes.zendesk.com/agent/dashboard",
  "https://shoes.zendesk.com/?a=b",
  "https://ada@shoes.zendesk.com",
  "https://shoes.zendesk.com:8443",
  "shoes.zendesk.com",
  "https://zendesk.com",
  "https://a.shoes.zendesk.com",
  "https://shoes.zendesk.com.evil.example",
])("%s is the address of no account", (url) => {
  const given = { credentials: ZENDESK.basic, settings: { url } };
  expect(() => checkInput(connector, given)).toThrow("https://<subdomain>.zendesk.com");
});
