import { z } from "zod";
import type { Actions, ConnectorContext } from "../../connector.ts";
import { id, read, segment } from "../read.ts";
import { type Order, order, shown } from "./orders.ts";
import { base } from "./verify.ts";

const LIMIT = 5;
/** Searched orders, as a search returns similar ones, too. */
const SEARCHED = 20;
/** The last digits of a number, the same with and without its country prefix. */
const END_DIGITS = 7;

type Query = Readonly<Record<string, string | number>>;

export const actions: Actions = {
  "order.lookup": async ({ orderNumber, email, phone }, context) => {
    const isAsked = (found: Order) =>
      (orderNumber === undefined || found.number === bare(orderNumber)) &&
      (email === undefined || found.billing.email?.toLowerCase() === email.toLowerCase()) &&
      (phone === undefined || isSameNumber(found.billing.phone, phone));
    const found = await candidates({ orderNumber, email, phone }, context);
    const orders = found.filter(isAsked);
    if (orders.length === 0 && orderNumber === undefined && email !== undefined && phone === undefined) {
      return { orders: (await ordersOfCustomer(email, context)).map(shown) };
    }
    return { orders: orders.slice(0, LIMIT).map(shown) };
  },
};

async function candidates(
  by: { orderNumber?: string | undefined; email?: string | undefined; phone?: string | undefined },
  context: ConnectorContext,
): Promise<Order[]> {
  const { orderNumber, email, phone } = by;
  if (orderNumber === undefined)
    return findOrders({ search: email ?? endOf(phone ?? ""), per_page: SEARCHED }, context);
  const number = bare(orderNumber);
  if (/^\d{1,15}$/.test(number)) {
    const url = `${base(context)}/orders/${segment(number)}`;
    const { status, body } = await context.vendor.send({ url, mayBeMissing: true });
    const known = status === 404 ? undefined : read(order, body);
    if (known?.number === number) return [known];
  }
  // With an extension for order numbers, a number is not an id.
  return findOrders({ search: number, per_page: SEARCHED }, context);
}

/** Orders by account, as a customer's account email may differ from their orders'. */
async function ordersOfCustomer(email: string, context: ConnectorContext): Promise<Order[]> {
  const url = `${base(context)}/customers`;
  const { body } = await context.vendor.send({ url, query: { email, role: "all", per_page: 1 } });
  const [customer] = read(z.array(z.object({ id })), body);
  return customer ? findOrders({ customer: customer.id, per_page: LIMIT }, context) : [];
}

async function findOrders(query: Query, context: ConnectorContext): Promise<Order[]> {
  const newestFirst = { orderby: "date", order: "desc" };
  const url = `${base(context)}/orders`;
  const { body } = await context.vendor.send({ url, query: { ...query, ...newestFirst } });
  return read(z.array(order), body);
}

function bare(orderNumber: string): string {
  return orderNumber.replace(/^#\s*/, "");
}

function endOf(phone: string): string {
  return phone.replace(/\D/g, "").slice(-END_DIGITS);
}

function isSameNumber(one: string | null, other: string): boolean {
  const [short = "", long = ""] = [one ?? "", other]
    .map((value) => value.replace(/\D/g, "").replace(/^0+/, ""))
    .toSorted((first, second) => first.length - second.length);
  return short.length >= END_DIGITS && long.endsWith(short);
}
