import type { ResultOf } from "../../capabilities/all.ts";

type Order = ResultOf<"order.lookup">["orders"][number];

const DAY_MS = 24 * 60 * 60_000;

interface DemoOrder extends Omit<Order, "id" | "placedAt"> {
  readonly email: string;
  readonly phone: string;
  readonly placedDaysAgo: number;
}

const ORDERS: readonly DemoOrder[] = [
  {
    number: "1001",
    email: "ada@example.com",
    phone: "+14155550101",
    placedDaysAgo: 3,
    status: "shipped",
    paid: true,
    total: { amount: "84.50", currency: "USD" },
    items: [
      { name: "Running shoes, size 39", quantity: 1 },
      { name: "Wool socks", quantity: 2 },
    ],
    tracking: [{ company: "Demo Parcel", number: "DP1001", url: null }],
  },
  {
    number: "1002",
    email: "ben@example.com",
    phone: "+14155550102",
    placedDaysAgo: 1,
    status: "being packed",
    paid: true,
    total: { amount: "29.00", currency: "USD" },
    items: [{ name: "Tea pot, blue", quantity: 1 }],
    tracking: [],
  },
  {
    number: "1003",
    email: "ada@example.com",
    phone: "+14155550101",
    placedDaysAgo: 40,
    status: "delivered",
    paid: true,
    total: { amount: "12.90", currency: "USD" },
    items: [{ name: "Shoe laces", quantity: 3 }],
    tracking: [{ company: "Demo Parcel", number: "DP1003", url: null }],
  },
];

/** Matching orders, newest first. */
export function findOrders(
  by: {
    readonly orderNumber?: string | undefined;
    readonly email?: string | undefined;
    readonly phone?: string | undefined;
  },
  nowMs: number,
): Order[] {
  const digits = by.orderNumber?.replace(/\D/g, "");
  const matches = ORDERS.filter(
    ({ number, email, phone }) =>
      (digits === undefined || number === digits) &&
      (by.email === undefined || email === by.email.toLowerCase()) &&
      (by.phone === undefined || phone.endsWith(by.phone.replace(/^\+/, ""))),
  );
  return matches
    .toSorted((one, other) => one.placedDaysAgo - other.placedDaysAgo)
    .map(({ placedDaysAgo, email: _email, phone: _phone, ...order }) => ({
      ...order,
      id: `order-${order.number}`,
      placedAt: new Date(nowMs - placedDaysAgo * DAY_MS).toISOString(),
    }));
}
