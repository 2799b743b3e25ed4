import type { AddressInfo } from "node:net";
import { migrateToLatest } from "@parley/shared/database/migrate.ts";
import { AppError } from "@parley/shared/errors.ts";
import { createTicketSigner } from "@parley/shared/security/tickets.ts";
import { type ApiDeps, buildApi } from "./build-api.ts";
import { buildIdentity } from "./build-identity.ts";
import { buildWebhooks } from "./build-webhooks.ts";
import { Recorder } from "./recorder/recorder.ts";
import { Sweeper } from "./recorder/sweeper.ts";
import { RecordingLinks } from "./recordings/recording-links.ts";
import { createRecordingReader } from "./recordings/recording-reader.ts";
import { startRecordingReaper } from "./recordings/recording-reaper.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

export interface ControlApiOptions
  extends Omit<
    ApiDeps,
    "tickets" | "parts" | "urlRules" | "recordingLinks" | "recordings" | "announceDeliveries"
  > {
  /** Instead of ALLOW_PRIVATE_TARGETS: the embedded default opens loopback. */
  readonly allowPrivateTargets?: readonly string[];
  /** Where the names in the addresses of webhooks lead, instead of the system's resolver. */
  readonly resolve?: UrlRules["resolve"];
  /** How long the receiver of a webhook may take, instead of 30 s. */
  readonly receiverTimeMs?: number;
  /** `keyId:base64` list for what is stored encrypted. */
  readonly secretsKey: string;
  readonly credentialCacheMs?: number;
  readonly ticketPrivateKeyPem: string;
}

export interface ControlApi {
  readonly port: number;
  /** `METHOD /pattern` of every route. */
  readonly routes: readonly string[];
  /** As people reach it. */
  readonly baseUrl: string;
  /** Answers what was begun, hands nothing new out, then closes. */
  close(): Promise<void>;
}

/** Migrates the database, then starts the API, the recorder and the sweeper. */
export async function startControlApi(options: ControlApiOptions): Promise<ControlApi> {
  const { config, database, clock, log, ticketPrivateKeyPem } = options;
  const migrated = await migrateToLatest(database.db);
  if (migrated.length > 0) log.info({ migrated }, "the database was brought up to date");
  const tickets = createTicketSigner({ privateKeyPem: ticketPrivateKeyPem, clock });
  let baseUrl = config.http.publicUrl ?? "";
  const parts = await buildIdentity({ ...options, baseUrl: () => baseUrl });
  const urlRules = {
    allowPrivateTargets: options.allowPrivateTargets ?? config.security.allowPrivateTargets ?? [],
    ...(options.resolve ? { resolve: options.resolve } : {}),
  };
  if (config.security.allowPrivateTargets) {
    log.warn(
      { cidrs: config.security.allowPrivateTargets },
      "ALLOW_PRIVATE_TARGETS is set: brains and webhooks may be private",
    );
  }
  const { secrets, messenger } = parts;
  const recordingLinks = new RecordingLinks({ ...options, baseUrl: () => baseUrl });
  const recordings = createRecordingReader(config.storage);
  const shared = { recordingLinks, recordings, urlRules };
  const webhooks = buildWebhooks({ ...options, ...shared, secrets, messenger, baseUrl: () => baseUrl });
  const app = await buildApi({
    ...options,
    ...shared,
    tickets,
    parts,
    announceDeliveries: webhooks.raise.committed,
  });
  const { host, controlApiPort } = config.http;
  await app.listen({ host, port: controlApiPort }).catch((cause: unknown) => {
    throw new AppError("unavailable", `${host}:${controlApiPort} cannot be listened on; is it in use?`, {
      cause,
    });
  });
  const port = (app.server.address() as AddressInfo).port;
  baseUrl = config.http.publicUrl ?? `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  const recorder = new Recorder({ ...options, raise: webhooks.raise });
  const sweeper = new Sweeper(options);
  const stopReaper = startRecordingReaper({
    ...options,
    recordings,
    defaultDays: config.recordings.retentionDays,
  });
  recorder.start();
  sweeper.start();
  return {
    port,
    baseUrl,
    routes: app.registeredRoutes,
    close: async () => {
      sweeper.stop();
      stopReaper();
      await app.close();
      await recorder.stop();
      await webhooks.close();
      await parts.close();
    },
  };
}
