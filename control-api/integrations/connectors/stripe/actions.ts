import { z } from "zod";
import type { Actions } from "../../connector.ts";
import { maybe, read, segment } from "../read.ts";
import { API } from "./verify.ts";

const LIMIT = 10;
/** Zero-decimal currencies. */
const WHOLE = new Set([
  "bif",
  "clp",
  "djf",
  "gnf",
  "jpy",
  "kmf",
  "krw",
  "mga",
  "pyg",
  "rwf",
  "ugx",
  "vnd",
  "vuv",
  "xaf",
  "xof",
  "xpf",
]);

const charge = z.object({
  id: z.string(),
  created: z.number(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  refunded: z.boolean().nullish(),
  description: maybe,
});
const refund = charge.omit({ refunded: true, description: true }).extend({ status: maybe });
const listOf = <T extends z.ZodType>(schema: T) => z.object({ data: z.array(schema) });

export const actions: Actions = {
  "payment.lookup": async ({ id, email }, { vendor }) => {
    if (id?.startsWith("ch_") || id?.startsWith("py_")) {
      const { body } = await vendor.send({ url: `${API}/charges/${segment(id)}` });
      return { payments: [paymentOf(read(charge, body))] };
    }
    if (id !== undefined) {
      const { body } = await vendor.send({
        url: `${API}/charges`,
        query: { payment_intent: id, limit: LIMIT },
      });
      return { payments: read(listOf(charge), body).data.map(paymentOf) };
    }
    const query = `email:'${(email ?? "").replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    const found = await vendor.send({ url: `${API}/customers/search`, query: { query, limit: 3 } });
    const customers = read(listOf(z.object({ id: z.string() })), found.body).data;
    const payments = [];
    for (const customer of customers) {
      const { body } = await vendor.send({
        url: `${API}/charges`,
        query: { customer: customer.id, limit: LIMIT },
      });
      payments.push(...read(listOf(charge), body).data.map(paymentOf));
    }
    return { payments: payments.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, LIMIT) };
  },
  "refund.lookup": async ({ id }, { vendor }) => {
    const of = id.startsWith("pi_") ? { payment_intent: id } : { charge: id };
    const { body } = await vendor.send({ url: `${API}/refunds`, query: { ...of, limit: LIMIT } });
    return {
      refunds: read(listOf(refund), body).data.map(({ status, ...rest }) =>
        moneyOf({ ...rest, status: status ?? "pending" }),
      ),
    };
  },
  "payment_link.create": async ({ priceId, quantity }, { vendor, idempotencyKey }) => {
    const { body } = await vendor.send({
      method: "POST",
      url: `${API}/payment_links`,
      form: { "line_items[0][price]": priceId, "line_items[0][quantity]": String(quantity) },
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
    });
    return read(z.object({ url: z.string() }), body);
  },
};

function paymentOf({ refunded, description, ...rest }: z.output<typeof charge>) {
  const { status } = rest;
  return { ...moneyOf({ ...rest, status: refunded ? "refunded" : status }), description };
}

function moneyOf({
  id,
  created,
  status,
  amount,
  currency,
}: {
  id: string;
  created: number;
  status: string;
  amount: number;
  currency: string;
}) {
  const isWhole = WHOLE.has(currency.toLowerCase());
  return {
    id,
    at: new Date(created * 1_000).toISOString(),
    status,
    amount: {
      amount: isWhole ? String(amount) : (amount / 100).toFixed(2),
      currency: currency.toUpperCase(),
    },
  };
}
