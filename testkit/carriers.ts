import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { expect, vi } from "vitest";
import type { BrainTurn } from "./brain.ts";
import type { FakeCall, SignedCallback } from "./fakes/carriers/fake-carrier.ts";
import type { FakePhone } from "./fakes/phones/phone.ts";
import { TestPerson } from "./person.ts";
import { OURS, TestPhoneCompanies } from "./phone-companies.ts";
import type { TestPhoneCompany } from "./phone-company.ts";
import { TestTelephony } from "./telephony.ts";

/** Called when the agent transfers a call. */
export const COLLEAGUE = "+12025550190";
export const GREETING = "Hello.";
export const ENDED = { type: "ended", status: "completed" } as const;
/** Timeout for brief waits: `expect.poll` cannot distinguish tests that run in parallel. */
export const SOON_MS = 90_000;

/** A carrier account, connected as people do it, with a number that the agent answers. */
export interface Row {
  readonly name: AccountCarrierName;
  readonly company: TestPhoneCompany;
  readonly connectionId: string;
  readonly fromNumberId: string;
  readonly number: string;
}

/** A call with its leg at the carrier. */
export type DialedCall = PlacedCall & { readonly call: FakeCall };

interface CarriersOptions {
  readonly brain?: (turn: BrainTurn) => void;
  /** Environment of the gateway. */
  readonly env?: Record<string, string>;
  readonly settings?: Record<string, unknown>;
}

/** An organization with an account at each carrier, and calls through them. */
export class TestCarriers {
  readonly telephony: TestTelephony;
  readonly #companies: TestPhoneCompanies;
  readonly #rows = new Map<AccountCarrierName, Row>();
  #dialed = 0;

  private constructor(telephony: TestTelephony, companies: TestPhoneCompanies) {
    this.telephony = telephony;
    this.#companies = companies;
  }

  static async start({ env = {}, settings, ...more }: CarriersOptions): Promise<TestCarriers> {
    const companies = await TestPhoneCompanies.start();
    const telephony = await TestTelephony.start({
      env,
      apiEnv: companies.apiEnv,
      settings: { firstResponse: GREETING, ...settings },
      ...more,
    });
    const carriers = new TestCarriers(telephony, companies);
    const owner = await carriers.#owner();
    for (const company of companies.all)
      carriers.#rows.set(company.name, await carriers.#connect(company, owner));
    return carriers;
  }

  row(name: AccountCarrierName): Row {
    const row = this.#rows.get(name);
    if (!row) throw new Error(`${name} is not connected`);
    return row;
  }

  /** Places a call to a fresh number. */
  async dial({ company, fromNumberId }: Row, more: Record<string, unknown> = {}): Promise<DialedCall> {
    this.#dialed += 1;
    const to = `+1202556${String(this.#dialed).padStart(4, "0")}`;
    const placed = await this.telephony.dial(to, { fromNumberId, ...more });
    return { ...placed, call: company.call(to) };
  }

  /** A connected call. */
  async talking(row: Row): Promise<DialedCall & { readonly phone: FakePhone }> {
    const placed = await this.dial(row);
    const phone = await row.company.pickUp(placed.call);
    await greeted(phone);
    return { ...placed, phone };
  }

  /** Waits until the agent has said the text and the caller has heard it. */
  async said(sessionId: string, text: string): Promise<void> {
    await vi.waitFor(async () => {
      const { transcript } = await this.telephony.record(sessionId);
      expect(transcript.map((line) => line.text)).toContain(text);
    }, SOON_MS);
  }

  async close(): Promise<void> {
    await this.telephony.close();
    await this.#companies.close();
  }

  async #owner(): Promise<TestPerson> {
    const { api, organization } = this.telephony;
    const person = await TestPerson.registerVerified(api);
    const membership = { org_id: organization.orgId, user_id: person.userId, role: "owner" } as const;
    await api.database.db.insertInto("memberships").values(membership).execute();
    return person;
  }

  /** Connects as people do: the account on the page, then a number that the agent answers. */
  async #connect(company: TestPhoneCompany, owner: TestPerson): Promise<Row> {
    const { orgId, agentId } = this.telephony.organization;
    const { name, credentials } = company;
    const body = { carrier: name, credentials };
    const connected = await owner.call("POST", `/api/orgs/${orgId}/carriers`, body, orgId);
    expect(connected.status).toBe(201);
    const number = OURS[name];
    const added = await this.telephony.request("POST", "/api/v1/numbers", { number, carrier: name, agentId });
    expect(added.status).toBe(201);
    const connectionId = (connected.body.data as { id: string }).id;
    return { name, company, connectionId, fromNumberId: added.body.id as string, number };
  }
}

export async function greeted(phone: FakePhone): Promise<void> {
  await vi.waitFor(() => expect(phone.playedMarks).toHaveLength(1), SOON_MS);
  expect(phone.heard.some(isLoud)).toBe(true);
}

/** Whether 20 ms of audio are audible. */
export function isLoud(frame: Int16Array): boolean {
  return frame.some((sample) => Math.abs(sample) > 1_000);
}

/** Sends a carrier's request; returns the answer's status. */
export async function post({ url, method, headers, body }: SignedCallback): Promise<number> {
  return (await fetch(url, { method, headers, body })).status;
}
