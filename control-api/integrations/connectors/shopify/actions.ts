import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { maybe, read } from "../read.ts";
import { query, quoted } from "./graphql.ts";

const LIMIT = 5;
const ORDERS = `query ($q: String!) { orders(first: ${LIMIT}, query: $q, sortKey: CREATED_AT, reverse: true) { nodes {
  id name createdAt cancelledAt displayFulfillmentStatus displayFinancialStatus
  totalPriceSet { shopMoney { amount currencyCode } }
  lineItems(first: 20) { nodes { name quantity } }
  fulfillments(first: 5) { trackingInfo(first: 3) { company number url } } } } }`;
const CUSTOMERS = "query ($q: String!) { customers(first: 3, query: $q) { nodes { legacyResourceId } } }";

const order = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  cancelledAt: maybe,
  displayFulfillmentStatus: maybe,
  displayFinancialStatus: maybe,
  totalPriceSet: z.object({ shopMoney: z.object({ amount: z.string(), currencyCode: z.string() }) }),
  lineItems: z.object({ nodes: z.array(z.object({ name: z.string(), quantity: z.number() })) }),
  fulfillments: z.array(
    z.object({ trackingInfo: z.array(z.object({ company: maybe, number: maybe, url: maybe })) }),
  ),
});
const ordersSchema = z.object({ orders: z.object({ nodes: z.array(order) }) });
const customersSchema = z.object({
  customers: z.object({ nodes: z.array(z.object({ legacyResourceId: z.string() })) }),
});

export const actions: Actions = {
  "order.lookup": async ({ orderNumber, email, phone }, context) => {
    const terms = [
      ...(orderNumber === undefined ? [] : [`name:${quoted(orderNumber)}`]),
      ...(email === undefined ? [] : [`email:${quoted(email)}`]),
    ];
    if (phone === undefined) return { orders: await findOrders(context, terms.join(" AND ")) };
    // Orders cannot be searched by phone, but customers can.
    const found = await query(context, CUSTOMERS, { q: `phone:${quoted(phone)}` });
    const orders = [];
    for (const { legacyResourceId } of read(customersSchema, found).customers.nodes) {
      orders.push(
        ...(await findOrders(context, [`customer_id:${legacyResourceId}`, ...terms].join(" AND "))),
      );
    }
    return { orders: orders.slice(0, LIMIT) };
  },
};

async function findOrders(context: ConnectorContext, q: string) {
  const { orders } = read(ordersSchema, await query(context, ORDERS, { q }));
  return orders.nodes.map((node) => ({
    id: node.id,
    number: node.name,
    placedAt: node.createdAt,
    status:
      node.cancelledAt === null ? (node.displayFulfillmentStatus ?? "unknown").toLowerCase() : "canceled",
    paid: node.displayFinancialStatus === "PAID",
    total: {
      amount: node.totalPriceSet.shopMoney.amount,
      currency: node.totalPriceSet.shopMoney.currencyCode,
    },
    items: node.lineItems.nodes,
    tracking: node.fulfillments.flatMap(({ trackingInfo }) => trackingInfo),
  }));
}
