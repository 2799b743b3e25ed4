import { stripeSignature } from "@parley/control-api/billing/payments/stripe/signature.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./connectors/fake-vendor.ts";

const STRIPE_PAYMENTS = { secretKey: "rk_test_payments", webhookSecret: "whsec_payments" };

const refusal = (status: number, error: Record<string, unknown>): Reply => ({ status, json: { error } });

interface Checkout {
  readonly id: string;
  readonly intentId: string;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * Stripe as documented: customers, checkout sessions, immediately confirmed payment intents, idempotency
 * keys, and signed events. `pay` does what people do on its pages.
 */
export class FakeStripe {
  readonly vendor: FakeVendor;
  /** Declines the next charges of saved cards with these words. */
  declines: string | undefined;
  readonly checkouts: Checkout[] = [];
  /** Amounts actually taken, by intent, in cents. */
  readonly taken = new Map<string, number>();
  readonly #answers = new Map<string, { readonly body: string; readonly reply: Reply }>();
  #nr = 0;

  private constructor(vendor: FakeVendor) {
    this.vendor = vendor;
  }

  static async start(): Promise<FakeStripe> {
    const fakes: FakeStripe[] = [];
    const vendor = await FakeVendor.start({
      refusal: ({ headers }) =>
        headers.authorization === `Bearer ${STRIPE_PAYMENTS.secretKey}`
          ? undefined
          : refusal(401, { type: "invalid_request_error", message: "Invalid API Key provided" }),
      handle: (call) => fakes[0]?.once(call),
      notFound: refusal(404, { type: "invalid_request_error", message: "Unrecognized request URL" }),
    });
    const fake = new FakeStripe(vendor);
    fakes.push(fake);
    return fake;
  }

  get env(): Record<string, string> {
    return {
      STRIPE_API_URL: this.vendor.url,
      STRIPE_SECRET_KEY: STRIPE_PAYMENTS.secretKey,
      STRIPE_WEBHOOK_SECRET: STRIPE_PAYMENTS.webhookSecret,
    };
  }

  /** The events of paying the newest checkout, in order. */
  pay(): Record<string, unknown>[] {
    const checkout = this.checkouts.at(-1);
    if (!checkout) throw new Error("nobody began to pay");
    const { id, intentId, form } = checkout;
    const amount = Number(form["line_items[0][price_data][unit_amount]"]);
    const metadata = { payment_id: form["metadata[payment_id]"] };
    this.taken.set(intentId, amount);
    const intent = { id: intentId, object: "payment_intent", status: "succeeded", currency: "usd", metadata };
    const paid = { amount_received: amount, customer: form.customer, payment_method: `pm_${this.#nr}` };
    const session = { id, object: "checkout.session", payment_status: "paid", currency: "usd", metadata };
    return [
      this.event("payment_intent.succeeded", { ...intent, ...paid }),
      this.event("checkout.session.completed", {
        ...session,
        amount_total: amount,
        payment_intent: intentId,
      }),
    ];
  }

  event(type: string, object: Record<string, unknown>): Record<string, unknown> {
    return { id: `evt_${++this.#nr}`, object: "event", type, data: { object } };
  }

  /** Runs a request with an idempotency key once; repeats its answer unless the body differs. */
  private once(call: VendorCall): Reply | undefined {
    const key = String(call.headers["idempotency-key"] ?? "");
    const body = JSON.stringify(call.body);
    const known = this.#answers.get(key);
    if (known) return known.body === body ? known.reply : refusal(400, { type: "idempotency_error" });
    const reply = this.answer(call);
    if (reply && key !== "") this.#answers.set(key, { body, reply });
    return reply;
  }

  private answer({ method, path, body }: VendorCall): Reply | undefined {
    const form = body as Record<string, string>;
    switch (`${method} ${path}`) {
      case "POST /v1/customers":
        return ok({ id: `cus_${++this.#nr}`, object: "customer" });
      case "POST /v1/checkout/sessions": {
        const id = `cs_test_${++this.#nr}`;
        this.checkouts.push({ id, intentId: `pi_${this.#nr}`, form });
        const url = `https://checkout.stripe.com/c/pay/${id}`;
        return ok({ id, object: "checkout.session", url, payment_intent: null });
      }
      case "POST /v1/payment_intents":
        return this.charge(form);
      default:
        return undefined;
    }
  }

  private charge(form: Record<string, string>): Reply {
    const id = `pi_${++this.#nr}`;
    if (this.declines !== undefined) {
      const payment_intent = { id, status: "requires_payment_method" };
      const error = { type: "card_error", code: "card_declined", message: this.declines, payment_intent };
      return refusal(402, error);
    }
    this.taken.set(id, Number(form.amount));
    return ok({
      id,
      object: "payment_intent",
      status: "succeeded",
      amount_received: Number(form.amount),
    });
  }

  close(): void {
    this.vendor.close();
  }
}

/** Stripe's webhook: the body and its signature header. */
export function signedEvent(
  event: Record<string, unknown>,
  atMs: number,
  secret = STRIPE_PAYMENTS.webhookSecret,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event);
  const signature = stripeSignature(secret, Buffer.from(body), Math.floor(atMs / 1_000));
  return { body, headers: { "stripe-signature": signature } };
}
