import { z } from "zod";
import { microsOfCents } from "../../money.ts";
import type { PaymentNews } from "../provider.ts";

const id = z.string().min(1).max(255);
/** Stripe returns an object where the field was expanded. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish();
const metadata = z.object({ payment_id: id.optional() }).nullish();
const usd = z.literal("usd");
const cents = z.int().min(0).transform(microsOfCents);

const checkout = z.object({
  payment_status: z.string(),
  amount_total: cents,
  currency: usd,
  payment_intent: reference,
  metadata,
});
const intent = z.object({
  id,
  amount_received: cents,
  currency: usd,
  payment_method: reference,
  metadata,
});
const reversal = z.object({
  id,
  amount: cents,
  currency: usd,
  payment_intent: reference,
});
const envelope = z.object({ id, type: z.string(), data: z.object({ object: z.unknown() }) });

export interface StripeEvent {
  readonly id: string;
  /** Undefined if the event is irrelevant here or not ours. */
  readonly news: PaymentNews | undefined;
}

type Reader = (object: unknown) => PaymentNews | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  "checkout.session.completed": paidCheckout,
  "checkout.session.async_payment_succeeded": paidCheckout,
  "checkout.session.async_payment_failed": (object) => failedCheckout(object, "The payment failed."),
  "checkout.session.expired": (object) => failedCheckout(object, "Nobody paid in time."),
  "payment_intent.succeeded": (object) => {
    const { id: intentId, metadata, amount_received: amount, payment_method } = intent.parse(object);
    const methodId = payment_method ?? null;
    const paymentId = metadata?.payment_id;
    return paymentId === undefined ? undefined : { kind: "paid", paymentId, amount, intentId, methodId };
  },
  "charge.dispute.funds_withdrawn": (object) => reversed("reversed", "dispute", object),
  "charge.dispute.funds_reinstated": (object) => reversed("restored", "reinstated", object),
  "refund.created": (object) => reversed("reversed", "refund", object),
  "refund.failed": (object) => reversed("restored", "refund-failed", object),
};

/** Undefined unless this is a Stripe event whose object is as documented. */
export function readStripeEvent(body: unknown): StripeEvent | undefined {
  const { data: event } = envelope.safeParse(body);
  if (!event) return undefined;
  const reader = READERS[event.type];
  try {
    return { id: event.id, news: reader?.(event.data.object) };
  } catch (error) {
    if (error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function paidCheckout(object: unknown): PaymentNews | undefined {
  const { payment_status, amount_total: amount, payment_intent, metadata } = checkout.parse(object);
  const paymentId = metadata?.payment_id;
  // Payment methods other than cards may take days; a later event reports them.
  if (paymentId === undefined || payment_status !== "paid") return undefined;
  return { kind: "paid", paymentId, amount, intentId: payment_intent ?? null, methodId: null };
}

function failedCheckout(object: unknown, reason: string): PaymentNews | undefined {
  const paymentId = checkout.parse(object).metadata?.payment_id;
  return paymentId === undefined ? undefined : { kind: "failed", paymentId, reason };
}

function reversed(kind: "reversed" | "restored", what: string, object: unknown): PaymentNews | undefined {
  const { id: objectId, amount, payment_intent } = reversal.parse(object);
  if (!payment_intent || amount === 0n) return undefined;
  return { kind, intentId: payment_intent, amount, source: `${what} ${objectId}` };
}
