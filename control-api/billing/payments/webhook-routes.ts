import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import { settle } from "./settle.ts";
import { readStripeEvent, type StripeEvent } from "./stripe/read-event.ts";
import { isSignedByStripe } from "./stripe/signature.ts";

const MAX_BODY_BYTES = 1_048_576;

export interface WebhookDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Empty without Stripe. */
  readonly webhookSecrets: readonly string[];
}

/** Receives Stripe's payment events, authenticated by the signature over the raw bytes. */
export async function stripeWebhookRoutes(app: Api, deps: WebhookDeps): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const asBytes = { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser("*", asBytes, (_request, body, parsed) => parsed(null, body));
    const options = { config: { access: PUBLIC }, schema: { hide: true } };
    scope.post("/api/public/stripe", options, async ({ body, headers }) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const signature = String(headers["stripe-signature"] ?? "");
      const { webhookSecrets: secrets, clock } = deps;
      if (!isSignedByStripe(signature, bytes, { secrets, nowMs: clock.wallMs() }))
        throw new AppError("bad_request", "The signature is not Stripe's, or it is older than five minutes.");
      await takeIn(parse(bytes), deps);
      return { received: true };
    });
    done();
  });
}

/** Stores the event and its consequences together, once: Stripe resends an event until it is accepted. */
async function takeIn(event: StripeEvent | undefined, { database, clock, log }: WebhookDeps): Promise<void> {
  const { news } = event ?? {};
  if (!event || !news) return;
  const at = new Date(clock.wallMs());
  const isOurs = await database.db.transaction().execute(async (trx) => {
    const isNew = await trx
      .insertInto("payment_events")
      .values({ event_id: event.id, received_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("event_id")
      .executeTakeFirst();
    return isNew === undefined || settle(trx, news, at);
  });
  if (!isOurs)
    log.warn({ event: "payment_unknown", kind: news.kind }, "the payment service told of no payment of ours");
}

function parse(bytes: Buffer): StripeEvent | undefined {
  try {
    return readStripeEvent(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not JSON.", { cause });
  }
}
