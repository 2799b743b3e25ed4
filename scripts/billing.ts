/**
 * Billing commands for operators (docs/billing.md). Reads the same environment as the control API, and uses its
 * database.
 *
 * Usage: node scripts/billing.ts prices
 *        node scripts/billing.ts plan <orgId> prepaid|postpaid
 *        node scripts/billing.ts credit <orgId> <dollars> <reason>      once per reason
 *        node scripts/billing.ts payment <orgId> <dollars> <reference>  an arrived bank transfer; once per reference
 *        node scripts/billing.ts paid <invoiceId> <reference>
 *        node scripts/billing.ts transfers                              bank transfers announced on the page
 *        node scripts/billing.ts received <paymentId>                   records its arrival; once
 *        node scripts/billing.ts credit-note <invoiceId> <dollars> <reason>   reduces an invoice; once per reason
 *        node scripts/billing.ts taxes
 *        node scripts/billing.ts tax <country> <name> <percent> [--from 2027-01-01T00:00:00Z]
 *        node scripts/billing.ts exempt <orgId> yes|no                  whether an organization pays no tax
 *        node scripts/billing.ts organizations                          plans, states and balances
 *        node scripts/billing.ts rebuild                                recomputes balances, reports differences
 *        node scripts/billing.ts price <metric> <dollars> [--per 1000] [--vendor deepgram] [--org org_…] [--from 2027-01-01T00:00:00Z]
 */
import { parseArgs } from "node:util";
import { issueCreditNote } from "@parley/control-api/billing/credit-notes/issue.ts";
import { rebuildSums } from "@parley/control-api/billing/ledger/rebuild.ts";
import { parseDecimal, toDecimal } from "@parley/control-api/billing/money.ts";
import { recordInvoicePaid, recordTopUp } from "@parley/control-api/billing/payments/record-payment.ts";
import { recordTransfer } from "@parley/control-api/billing/payments/record-transfer.ts";
import { listPendingTransfers } from "@parley/control-api/billing/payments/store.ts";
import { addPrice } from "@parley/control-api/billing/prices/add-price.ts";
import { readAllPrices } from "@parley/control-api/billing/prices/store.ts";
import { addRate } from "@parley/control-api/billing/taxes/add-rate.ts";
import { listRates, setExempt } from "@parley/control-api/billing/taxes/store.ts";
import { changePlan } from "@parley/control-api/billing/wallet/change-plan.ts";
import { giveCredit } from "@parley/control-api/billing/wallet/credit.ts";
import { listAccounts } from "@parley/control-api/billing/wallet/list-accounts.ts";
import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";

const USAGE =
  "Usage: billing.ts prices | plan <orgId> <plan> | credit <orgId> <dollars> <reason> | payment <orgId> <dollars> <reference> | paid <invoiceId> <reference> | transfers | received <paymentId> | credit-note <invoiceId> <dollars> <reason> | taxes | tax <country> <name> <percent> [--from time] | exempt <orgId> yes|no | organizations | rebuild | price <metric> <dollars> [--per n] [--vendor v] [--org id] [--from time]";

type Options = Readonly<Partial<Record<"per" | "vendor" | "org" | "from", string>>>;
type Command = (database: Database, args: readonly string[], options: Options) => Promise<string>;

const COMMANDS: Readonly<Record<string, Command>> = {
  prices: async ({ db }) => {
    const prices = await readAllPrices(db);
    const lines = prices.map(({ id, orgId, metric, vendor, micros, per, from }) =>
      [
        id,
        metric,
        vendor || "any vendor",
        orgId || "all",
        `${toDecimal(micros)} for ${per}`,
        from.toISOString(),
      ].join("  "),
    );
    return [...lines, prices.length === 1 ? "1 price" : `${prices.length} prices`].join("\n");
  },
  price: async (database, [metric, amount], { org: orgId, ...options }) => {
    if (metric === undefined || amount === undefined) throw new Error(USAGE);
    const now = new Date(systemClock.wallMs());
    return `Added ${await addPrice(database, { metric, amount, orgId, ...options }, now)}.`;
  },
  plan: async (database, [orgId, plan]) => {
    if (orgId === undefined || plan === undefined) throw new Error(USAGE);
    await changePlan(database, { orgId, plan, at: new Date(systemClock.wallMs()) });
    return `${orgId} is ${plan} now.`;
  },
  credit: async (database, [orgId, dollars = "", source]) => {
    if (orgId === undefined || source === undefined) throw new Error(USAGE);
    const given = { orgId, amount: amountOf(dollars), source, at: new Date(systemClock.wallMs()) };
    return (await giveCredit(database, given)) ? `${orgId} was given ${dollars}.` : "It was given before.";
  },
  payment: async (database, [orgId, dollars = "", source]) => {
    if (orgId === undefined || source === undefined) throw new Error(USAGE);
    const paid = { orgId, amount: amountOf(dollars), source, at: new Date(systemClock.wallMs()) };
    return (await recordTopUp(database, paid)) ? `${orgId} paid ${dollars}.` : "It is already recorded.";
  },
  paid: async (database, [invoiceId, source]) => {
    if (invoiceId === undefined || source === undefined) throw new Error(USAGE);
    const at = new Date(systemClock.wallMs());
    return (await recordInvoicePaid(database, { invoiceId, source, at }))
      ? "It is paid."
      : "It was paid before.";
  },
  transfers: async ({ db }) => {
    const pending = await listPendingTransfers(db);
    const lines = pending.map(({ id, orgId, amount, invoiceId, createdAt }) =>
      [id, orgId, toDecimal(amount), invoiceId ?? "top-up", createdAt.toISOString()].join("  "),
    );
    return [...lines, `${pending.length} announced`].join("\n");
  },
  received: async (database, [paymentId]) => {
    if (paymentId === undefined) throw new Error(USAGE);
    const at = new Date(systemClock.wallMs());
    return (await recordTransfer(database, { paymentId, at }))
      ? "It is recorded."
      : "It is already recorded.";
  },
  "credit-note": async (database, [invoiceId, dollars = "", reason]) => {
    if (invoiceId === undefined || reason === undefined) throw new Error(USAGE);
    const note = { invoiceId, amount: amountOf(dollars), reason, at: new Date(systemClock.wallMs()) };
    return (await issueCreditNote(database, note)) ? "The credit note is issued." : "It was issued before.";
  },
  taxes: async ({ db }) => {
    const rates = await listRates(db);
    const lines = rates.map(({ country, name, millionths, from }) =>
      [country, name, `${toDecimal(millionths * 100n)} %`, from.toISOString()].join("  "),
    );
    return [...lines, `${rates.length} rates`].join("\n");
  },
  tax: async (database, [country, name, percent], { from }) => {
    if (country === undefined || name === undefined || percent === undefined) throw new Error(USAGE);
    await addRate(database, { country, name, percent, from }, new Date(systemClock.wallMs()));
    return `${country} takes ${percent} % (${name}).`;
  },
  exempt: async ({ db }, [orgId, answer]) => {
    if (orgId === undefined || (answer !== "yes" && answer !== "no")) throw new Error(USAGE);
    if (!(await setExempt(db, orgId, answer === "yes")))
      throw new Error(`${orgId} has not said yet who is billed.`);
    return answer === "yes" ? `${orgId} pays no tax.` : `${orgId} pays the tax of its country.`;
  },
  organizations: async ({ db }) => {
    const accounts = await listAccounts(db, {});
    const lines = accounts.map(({ orgId, name, plan, state, wallet, owed }) =>
      [orgId, name, plan, state, `has ${toDecimal(wallet)}`, `owes ${toDecimal(owed)}`].join("  "),
    );
    return [...lines, `${accounts.length} organizations`].join("\n");
  },
  rebuild: async ({ db }) => {
    const { balances, days } = await rebuildSums(db);
    return `${balances} balances and ${days} days of usage differed and were put right.`;
  },
};

function amountOf(dollars: string): bigint {
  const amount = parseDecimal(dollars);
  if (amount === undefined || amount === 0n)
    throw new Error("The amount must be dollars above 0 with at most six decimals, such as 25.00.");
  return amount;
}

const { databaseUrl, directUrl } = loadConfig(process.env).storage;
if (databaseUrl === undefined) {
  console.error("DATABASE_URL is not set. The embedded database can be used by its own process only.");
  process.exit(1);
}
const database = await openDatabase({ databaseUrl, directUrl });
try {
  const text = { type: "string" } as const;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { per: text, vendor: text, org: text, from: text },
  });
  const [name = "", ...args] = positionals;
  const command = COMMANDS[name];
  if (!command) throw new Error(USAGE);
  console.log(await command(database, args, values));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await database.close();
}
