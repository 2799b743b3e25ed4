import type { SttVendor } from "@parley/media/stt/port.ts";
import type { TtsVendor } from "@parley/media/tts/port.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type {
  Admission,
  CountedMessages,
  MessageSpeech,
  MessagesToAdmit,
} from "@parley/shared/contracts/billing.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { ChatDeps } from "../channels/chat/chat-deps.ts";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import type { Senders } from "./channels/senders.ts";
import type { GraphReach } from "./graph/graph-api.ts";
import type { MediaLinks } from "./inbound/media-links.ts";
import type { Wish } from "./opt-out/words.ts";

/** Shared dependencies of the messaging modules. */
export interface MessagingDeps {
  readonly database: Database;
  readonly reads: Pick<Reads, "run">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: SecretBox;
  readonly audit: Audit;
  readonly queue: JobQueue;
  readonly senders: Senders;
  readonly reach: GraphReach;
  readonly chat: ChatDeps;
  /** Those that hear voice messages, by name. */
  readonly recognizers: ReadonlyMap<string, SttVendor>;
  /** Those that speak voice messages, by name. */
  readonly voices: ReadonlyMap<string, TtsVendor>;
  /** Counts what hearing and speaking took; a source counts once. */
  readonly countSpeech: (used: MessageSpeech) => Promise<void>;
  /** Counts messages, in the transaction that stores that they came or went; each counts once. */
  readonly countMessages: (trx: Kysely<Tables>, counted: CountedMessages) => Promise<void>;
  /** Runs before templates are queued: says how many of them the organization can pay for. */
  readonly admitMessages: (trx: Kysely<Tables>, messages: MessagesToAdmit) => Promise<Admission>;
  /** Storage of message media. */
  readonly files: StoredFiles;
  readonly mediaLinks: MediaLinks;
  /** Runs in the transaction that stores a contact's wish for no more messages, or for messages again. */
  readonly onWish: (
    trx: Kysely<Tables>,
    wished: {
      readonly orgId: string;
      /** Null for contacts without a number. */
      readonly from: string | null;
      readonly wish: Wish;
      /** Written by the contact, or chosen in WhatsApp, which is about marketing messages alone. */
      readonly source: "message" | "whatsapp";
      /** When the contact said so. */
      readonly at: Date;
    },
  ) => Promise<void>;
  readonly announceDeliveries: () => void;
  /** The URL at which Meta reaches this API. */
  readonly baseUrl: () => string;
}
