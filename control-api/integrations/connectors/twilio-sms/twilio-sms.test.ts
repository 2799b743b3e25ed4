import { describe, expect, it } from "vitest";
import {
  startFakeTwilioSms,
  TWILIO,
  twilioRefusal,
} from "../../../../testkit/fakes/connectors/twilio-sms.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const text = "Your parcel comes tomorrow.";

connectorContract({
  connector,
  start: startFakeTwilioSms,
  settings: { sender: "+1 (415) 555-0100" },
  forms: { "Auth token": TWILIO.token, "API key": TWILIO.key },
  badCredentials: { ...TWILIO.token, authToken: "tw-nobody" },
  account: TWILIO.sender,
  cases: [{ capability: "message.send", args: { to: "+1 415 555 0101", text }, result: { id: "SM1" } }],
  faults: {
    missingScope: twilioRefusal(400, 21408, "Permission to send an SMS has not been enabled"),
    rateLimited: twilioRefusal(429, 20429, "Too Many Requests"),
  },
});

describe("Twilio SMS", () => {
  it.each([
    [400, 21211, "rejected"],
    [400, 21606, "denied"],
    [400, 21608, "denied"],
    [400, 21610, "rejected"],
    [400, 21614, "rejected"],
    [404, 20404, "not_found"],
    [403, 20003, "unauthorized"],
  ])("knows what a refusal means by its code, not its status: %i, %i", (status, code, problem) => {
    const body = { code, message: "Twilio's own words", status };
    expect(connector.refusalOf?.({ status, headers: {}, body })).toMatchObject({ problem });
  });

  it("says that a number has opted out in words that can be said", () => {
    const body = { code: 21610, message: "Attempt to send to unsubscribed recipient", status: 400 };
    expect(connector.refusalOf?.({ status: 400, headers: {}, body })?.words).toContain("answered STOP");
  });

  it.each(["+14155550100", "12345", `MG${"c3".repeat(16)}`, "Shoes Inc"])("sends as %s", (sender) => {
    const { settings } = checkInput(connector, { credentials: TWILIO.token, settings: { sender } });
    expect(settings.sender).toBe(sender);
  });

  it.each(["4155550100", "A name that is long", "whatsapp:+14155550100"])("does not send as %s", (sender) => {
    const given = { credentials: TWILIO.token, settings: { sender } };
    expect(() => checkInput(connector, given)).toThrow("settings.sender");
  });
});
