import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { addInvoice } from "../../../testkit/invoices.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { recordInvoicePaid } from "../payments/record-payment.ts";
import { addRate } from "../taxes/add-rate.ts";
import { setExempt } from "../taxes/store.ts";
import { issueCreditNote } from "./issue.ts";

const CENT = 10_000n;
const PROFILE = { legalName: "Müller & Żółć GmbH", address: "Weg 1\nBerlin", country: "DE", taxId: "DE123" };

const clock = new SteppingClock();
let api: TestControlApi;
let person: TestPerson;
beforeAll(async () => {
  const env = { BILLING: "on", INVOICE_SELLER: "Parley Ltd, 1 Road, Dublin" };
  api = await TestControlApi.start({ clock, env, credentialCacheMs: 0 });
  person = await TestPerson.registerVerified(api);
  await addRate(api.database, { country: "DE", name: "VAT", percent: "19" }, new Date(clock.wallMs()));
  await addRate(
    api.database,
    { country: "DE", name: "VAT", percent: "21.5", from: "2990-01-01T00:00:00Z" },
    new Date(clock.wallMs()),
  );
});
afterAll(() => api.close());

async function organization(profile?: Record<string, unknown>): Promise<string> {
  const { orgId } = await createOrganization(api.database);
  const membership = { org_id: orgId, user_id: person.userId, role: "owner" } as const;
  await api.database.db.insertInto("memberships").values(membership).execute();
  if (profile) expect((await ask(orgId, "PUT", "profile", profile)).status).toBe(200);
  return orgId;
}
const ask = (orgId: string, method: string, below: string, body?: unknown) =>
  person.call(method, `/api/orgs/${orgId}/billing/${below}`, body, orgId);
const read = async (orgId: string, id: string) =>
  (await ask(orgId, "GET", `invoices/${id}`)).body.data as Record<string, unknown>;
const invoice = (orgId: string, amount: bigint) => addInvoice(api.database, { orgId, amount, clock });
const credit = (invoiceId: string, amount: bigint, reason: string) =>
  issueCreditNote(api.database, { invoiceId, amount, reason, at: new Date(clock.wallMs()) });
const balances = (orgId: string) => readBalances(api.database.db, orgId);

it("an invoice has the tax of its organization's country in whole cents, and a number of its own", async () => {
  const orgId = await organization(PROFILE);
  const { invoiceId } = await invoice(orgId, 10_004_999n);
  const shown = await read(orgId, invoiceId);
  expect(shown).toMatchObject({ subtotal: "10.004999", taxName: "VAT", taxRate: "19.00" });
  expect(shown).toMatchObject({ tax: "1.90", total: "11.90", credited: "0.00", state: "open" });
  expect(shown.number).toMatch(/^INV-\d{4}-\d{6}$/);
  expect(await balances(orgId)).toMatchObject({ receivable: -1_190n * CENT, tax: 190n * CENT, unbilled: 0n });
  const next = await read(...(await another()));
  expect(Number(String(next.number).slice(-6))).toBe(Number(String(shown.number).slice(-6)) + 1);
});

async function another(): Promise<[string, string]> {
  const orgId = await organization();
  return [orgId, (await invoice(orgId, 5_000_000n)).invoiceId];
}

it("no tax is taken of who is exempt, or of whom nobody knows the country", async () => {
  const [unknown, first] = await another();
  expect(await read(unknown, first)).toMatchObject({ taxName: "", tax: "0.00", total: "5.00" });
  const exempt = await organization(PROFILE);
  expect(await setExempt(api.database.db, exempt, true)).toBe(true);
  const { invoiceId } = await invoice(exempt, 5_000_000n);
  expect(await read(exempt, invoiceId)).toMatchObject({ taxName: "", total: "5.00" });
});

it("credit notes take an invoice down to nothing, with all of its tax, once for each reason", async () => {
  const orgId = await organization(PROFILE);
  const { invoiceId } = await invoice(orgId, 10_000_000n);
  expect(await credit(invoiceId, 333n * CENT, "Dropped calls")).toBe(true);
  expect(await credit(invoiceId, 333n * CENT, "Dropped calls")).toBe(false);
  await expect(credit(invoiceId, 858n * CENT, "Too much")).rejects.toMatchObject({
    code: "validation_failed",
  });
  await expect(credit(invoiceId, 1n, "No cent")).rejects.toMatchObject({ code: "validation_failed" });
  expect(await read(orgId, invoiceId)).toMatchObject({
    state: "open",
    credited: "3.33",
    creditNotes: [{ total: "3.33", tax: "0.53", reason: "Dropped calls" }],
  });
  expect((await balances(orgId)).receivable).toBe(-857n * CENT);
  expect(await credit(invoiceId, 857n * CENT, "The rest")).toBe(true);
  expect(await read(orgId, invoiceId)).toMatchObject({
    state: "paid",
    credited: "11.90",
    creditNotes: [{}, { total: "8.57", tax: "1.37" }],
  });
  expect(await balances(orgId)).toMatchObject({ receivable: 0n, tax: 0n, credits: -1_000n * CENT });
  expect(await rebuildSums(api.database.db)).toEqual({ balances: 0, days: 0 });
});

it("what is left after a credit note is what is paid", async () => {
  const orgId = await organization();
  const { invoiceId } = await invoice(orgId, 5_000_000n);
  await credit(invoiceId, 200n * CENT, "Goodwill");
  const at = new Date(clock.wallMs());
  expect(await recordInvoicePaid(api.database, { invoiceId, source: "transfer", at })).toBe(true);
  expect(await balances(orgId)).toMatchObject({ receivable: 0n, cash: -300n * CENT });
});

it("an invoice is a PDF with who sells, who is billed, its lines, its tax and its credit notes", async () => {
  const orgId = await organization(PROFILE);
  const { invoiceId } = await invoice(orgId, 10_000_000n);
  await credit(invoiceId, 119n * CENT, "Dropped calls");
  const answer = await fetch(
    `http://127.0.0.1:${api.api.port}/api/orgs/${orgId}/billing/invoices/${invoiceId}/pdf`,
    { headers: { authorization: `Bearer ${person.accessToken}`, "x-org-id": orgId } },
  );
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(answer.headers.get("content-disposition")).toMatch(/filename="INV-\d{4}-\d{6}\.pdf"/);
  const { text } = await extractText(new Uint8Array(await answer.arrayBuffer()), { mergePages: true });
  for (const part of [
    "Parley Ltd",
    "Müller & Żółć GmbH",
    "Tax ID DE123",
    "call seconds (telnyx)",
    "VAT 19 %",
  ])
    expect(text).toContain(part);
  expect(text).toMatch(
    /Subtotal\s+10\.00[\s\S]*11\.90[\s\S]*Dropped calls[\s\S]*-1\.19[\s\S]*To be paid\s+10\.71/,
  );
  const [other] = await another();
  expect((await ask(other, "GET", `invoices/${invoiceId}/pdf`)).status).toBe(404);
});

it.each([
  [{ country: "de" }, "two capital letters"],
  [{ percent: "101" }, "100 percent"],
  [{ percent: "1.00001" }, "four decimals"],
  [{ from: "2020-01-01T00:00:00Z" }, "in the past"],
])("a rate such as %j is refused: %s", async (wrong, message) => {
  const rate = { country: "FR", name: "TVA", percent: "20", ...wrong };
  await expect(addRate(api.database, rate, new Date(clock.wallMs()))).rejects.toThrow(message);
});
