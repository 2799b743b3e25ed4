import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Carrier, Message } from "./message.ts";
import { Outbox } from "./outbox.ts";
import { createSmtpCarrier } from "./smtp.ts";
import { createTwilioSms } from "./twilio-sms.ts";

const TRIES = 3;
const RETRY_AFTER_MS = 2_000;
const MAX_IN_FLIGHT = 500;

export interface MessengerDeps {
  readonly config: Pick<Config, "messages" | "demo" | "storage" | "http">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "messagesTotal">;
}

/**
 * Sends mail and SMS in the background: an answer must neither take longer because an account exists, nor wait for a
 * mail server.
 */
export class Messenger {
  readonly #deps: MessengerDeps;
  readonly #carriers: Readonly<Record<Message["channel"], Carrier | undefined>>;
  readonly #inFlight = new Set<Promise<void>>();
  /** Where the embedded default keeps messages instead of sending them; undefined everywhere else. */
  readonly outbox: Outbox | undefined;

  constructor(deps: MessengerDeps) {
    this.#deps = deps;
    const { messages, demo, storage, http } = deps.config;
    const isEmbedded = demo.isOn && storage.databaseUrl === undefined && http.publicUrl === undefined;
    this.outbox = isEmbedded ? new Outbox(deps.clock) : undefined;
    this.#carriers = {
      email: mailCarrier(messages) ?? this.outbox,
      phone: smsCarrier(messages) ?? this.outbox,
    };
    if (!this.#carriers.email) {
      deps.log.warn(
        { event: "smtp_not_configured" },
        "SMTP_URL is not set: nobody gets codes, invitations or links to reset a password",
      );
    }
    if (!this.#carriers.phone)
      deps.log.warn(
        { event: "sms_not_configured" },
        "no SMS carrier is set: accounts with a mobile number get no codes",
      );
  }

  /** Never rejects; a message that failed three times is logged and counted. */
  post(message: Message): void {
    if (this.#inFlight.size >= MAX_IN_FLIGHT) {
      this.#settled(message, "dropped", "too many messages are under way");
      return;
    }
    const sending = this.#send(message).finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
  }

  /** Resolves when no message is in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #send(message: Message): Promise<void> {
    const carrier = this.#carriers[message.channel];
    if (!carrier) {
      this.#settled(message, "failed", "no carrier is configured");
      return;
    }
    for (let attempt = 1; ; attempt++) {
      try {
        await carrier.send(message);
        this.#settled(message, "sent");
        return;
      } catch (error) {
        if (attempt >= TRIES) {
          this.#settled(message, "failed", faultOf(error));
          return;
        }
        await new Promise<void>((resolve) => this.#deps.clock.after(RETRY_AFTER_MS * attempt, resolve));
      }
    }
  }

  #settled({ channel }: Message, outcome: "sent" | "failed" | "dropped", why?: string): void {
    this.#deps.metrics.messagesTotal.inc({ channel, outcome });
    if (why !== undefined)
      this.#deps.log.error(
        { event: "notification_failed", channel, outcome, err: why },
        "failed to send a message",
      );
  }
}

/** Servers' error texts name recipients; their codes do not. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const details = ["code", "responseCode"]
    .map((name) => Reflect.get(error, name))
    .filter((value) => value !== undefined);
  return details.length > 0 ? details.join(" ") : error.name;
}

function mailCarrier({ smtpUrl, mailFrom }: Config["messages"]): Carrier | undefined {
  return smtpUrl === undefined ? undefined : createSmtpCarrier({ url: smtpUrl, from: mailFrom });
}

function smsCarrier({ twilio }: Config["messages"]): Carrier | undefined {
  const { accountSid, authToken, from, apiUrl } = twilio;
  if (accountSid === undefined || authToken === undefined || from === undefined) return undefined;
  return createTwilioSms({ accountSid, authToken, from, apiUrl });
}
