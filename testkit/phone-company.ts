import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { expect, vi } from "vitest";
import { CARRIER_FAKES } from "./fakes/carriers/by-carrier.ts";
import type { FakeCall, FakeCarrier } from "./fakes/carriers/fake-carrier.ts";
import { newPhoneIds, PHONE_DIALECTS } from "./fakes/phones/by-carrier.ts";
import { FakePhone, type PhoneOptions } from "./fakes/phones/phone.ts";

/** Both sides of a carrier: the REST API for placing calls, and the phones whose media it brings. */
export class TestPhoneCompany {
  readonly name: AccountCarrierName;
  readonly carrier: FakeCarrier;
  readonly #phones: Map<string, Promise<FakePhone>>;

  private constructor(
    name: AccountCarrierName,
    carrier: FakeCarrier,
    phones: Map<string, Promise<FakePhone>>,
  ) {
    this.name = name;
    this.carrier = carrier;
    this.#phones = phones;
  }

  static async start(name: AccountCarrierName, options: PhoneOptions = {}): Promise<TestPhoneCompany> {
    const phones = new Map<string, Promise<FakePhone>>();
    const onMedia = ({ callSid, mediaUrl = "" }: FakeCall): void => {
      const createDialect = PHONE_DIALECTS.get(name);
      if (!createDialect) throw new Error(`there is no phone of ${name}`);
      const phone = FakePhone.connect(mediaUrl, createDialect({ ...newPhoneIds(), callSid }), options);
      // Whoever asks for the phone learns that its call was over; nobody may.
      phone.catch(() => undefined);
      phones.set(callSid, phone);
    };
    return new TestPhoneCompany(name, await CARRIER_FAKES[name].start({ onMedia }), phones);
  }

  /** Credentials to connect the account with. */
  get credentials(): object {
    return CARRIER_FAKES[this.name].account;
  }

  /** The leg dialed to a number. */
  call(to: string): FakeCall {
    const call = [...this.carrier.calls.values()].find((one) => `+${one.to.replace("+", "")}` === to);
    if (!call) throw new Error(`${this.name} was not asked to call ${to}`);
    return call;
  }

  isRung(to: string): boolean {
    return [...this.carrier.calls.values()].some((one) => `+${one.to.replace("+", "")}` === to);
  }

  /** Rings and picks up. */
  async pickUp(call: FakeCall): Promise<FakePhone> {
    await this.carrier.tell(call.callSid, { type: "ringing" });
    await this.carrier.tell(call.callSid, { type: "answered" });
    return this.phoneOf(call);
  }

  /** Simulates a call to a number whose webhook is `webhookUrl`. */
  async callIn(numbers: { from: string; to: string }, webhookUrl: string): Promise<FakeCall> {
    const { plus } = CARRIER_FAKES[this.name];
    const call: FakeCall = {
      callSid: newPhoneIds().callSid.replaceAll("-", ""),
      direction: "inbound",
      from: numbers.from.replace("+", plus),
      to: numbers.to.replace("+", plus),
      callbackUrl: webhookUrl,
      state: "ringing",
    };
    await this.carrier.callIn(call);
    if (call.mediaUrl !== undefined) call.state = "answered";
    return call;
  }

  async phoneOf({ callSid }: FakeCall): Promise<FakePhone> {
    const phone = await this.#phones.get(callSid);
    if (!phone) throw new Error(`the media of ${callSid} was sent nowhere`);
    return phone;
  }

  /** Transfers the call to `to`, who answers, as the carrier was asked to. */
  async handsOver(call: FakeCall, to: string): Promise<void> {
    await this.#leavesFor(call, to);
    await this.carrier.tell(call.callSid, { type: "transferred" });
  }

  /** Transfers the call to `to`, who does not answer; returns the reconnected phone. */
  async comesBack(call: FakeCall, to: string, why: "busy" | "no-answer" | "failed"): Promise<FakePhone> {
    await this.#leavesFor(call, to);
    await this.carrier.tell(call.callSid, { type: "transfer_failed", why });
    return this.phoneOf(call);
  }

  /** Stops the media as carriers do; Telnyx continues it until the transfer is answered. */
  async #leavesFor(call: FakeCall, to: string): Promise<void> {
    await vi.waitFor(() => expect(call.transferredTo).toBe(to), 90_000);
    if (call.mediaUrl !== undefined) return;
    const phone = await this.phoneOf(call);
    phone.hangUp();
    await phone.untilClosed();
  }

  async close(): Promise<void> {
    for (const phone of this.#phones.values()) (await phone).drop();
    await this.carrier.close();
  }
}
