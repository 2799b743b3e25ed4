import { EGRESS_PURPOSES } from "@parley/shared/net/egress-purposes.ts";
import { expect, it } from "vitest";
import { MAX_PER_HOST } from "./in-flight.ts";

it("an organization has a connection for each place it has at a host, and some for those that are being closed", () => {
  expect(EGRESS_PURPOSES.webhook.connectionsPerHost).toBe(MAX_PER_HOST + 32);
});
