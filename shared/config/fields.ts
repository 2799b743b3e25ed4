import { z } from "zod";
import { MAX_LANES } from "../bus/lanes.ts";
import { STANDARD_PREFIX } from "../bus/redis-prefix.ts";
import { parseRedisUrl } from "../bus/redis-url.ts";
import { type CarrierVariable, PHONE_CARRIERS } from "../contracts/phone-carriers.ts";
import { type SpeechVariable, speechSettings, type VendorSetting } from "../contracts/speech-vendors.ts";
import { LOG_LEVELS } from "../log.ts";
import { isCidr } from "../net/cidr.ts";
import { isDnsServer } from "../net/names/dns-server.ts";
import { areEd25519PublicPems, isEd25519PrivatePem, normalPem } from "../security/pem.ts";
import { parseSecretKeys } from "../security/secret-box.ts";
import { parseUrl } from "../urls.ts";
import { BILLING_FIELDS } from "./billing-fields.ts";
import { DATABASE_FIELDS } from "./database-fields.ts";
import { EMBEDDINGS_FIELDS } from "./embeddings-fields.ts";
import { type Field, http, optional, standard, text, url, whole } from "./field.ts";
import { oauthClientSchema } from "./oauth-clients.ts";

const oidcProviderSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, "an id of small letters, digits and dashes for each provider"),
  name: z.string().min(1),
  issuer: z.url({ error: "the issuer's URL of each provider" }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  scope: z.string().default("openid email profile"),
});
export type OidcProvider = z.infer<typeof oidcProviderSchema>;
const port = whole("a port from 0 to 65535 (0 picks a free one)", 0, 65_535);
const redisUrl = text.refine((value) => parseRedisUrl(value) !== undefined, {
  message: "redis://host, rediss://host, redis+cluster://h1,h2 or redis+sentinel://h1,h2/master",
});
const redisPrefix = z.string().regex(/^[A-Za-z0-9_-]{1,32}:$/, {
  message: "1 to 32 letters, digits, _ and -, and a colon",
});
const pem = (check: (pem: string) => boolean, expected: string) =>
  text.transform(normalPem).refine(check, { message: expected });
const secretKeys = text.refine((value) => parseSecretKeys(value) !== undefined, {
  message: "keyId:base64 of 32 bytes, several of them separated by commas",
});
const cidrs = z
  .string()
  .transform((value) =>
    value
      .split(",")
      .map((cidr) => cidr.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every(isCidr), { message: "CIDRs such as 127.0.0.0/8,::1/128" });
const dnsServers = z
  .string()
  .transform((value) =>
    value
      .split(",")
      .map((server) => server.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every(isDnsServer), { message: "addresses such as 10.0.0.2 or [fd00::2]:5353" });
const oidcProviders = text
  .transform((value): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      return undefined;
    }
  })
  .pipe(z.array(oidcProviderSchema, { error: "a JSON list of identity providers" }));
const addresses = z
  .string()
  .transform((value) =>
    Object.fromEntries(
      value
        .split(",")
        .filter((entry) => entry.trim() !== "")
        .map((entry) => [
          entry.slice(0, entry.indexOf("=")).trim(),
          entry.slice(entry.indexOf("=") + 1).trim(),
        ]),
    ),
  )
  .refine(
    (entries) =>
      Object.entries(entries).every(
        ([name, value]) => /^[a-z0-9-]+$/.test(name) && parseUrl(value) !== undefined,
      ),
    { message: "connectors and addresses such as stripe=http://127.0.0.1:9000, separated by commas" },
  );
const oauthClients = text
  .transform((value): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      return undefined;
    }
  })
  .pipe(z.array(oauthClientSchema, { error: "a JSON list of clients" }));
const flag = z.enum(["true", "false"], { error: "true or false" }).transform((value) => value === "true");

const millis = (min: number, max: number) => whole(`whole ms from ${min} to ${max}`, min, max);

/** The variables of the speech vendors. */
function speechFields(): Record<SpeechVariable, Field<unknown>> {
  const fields = speechSettings().map(({ setting }): [string, Field<unknown>] => {
    const { variable, kind, about: description, fallback } = setting;
    if (fallback !== undefined) return [variable, standard(schemaOf(setting), fallback, description)];
    return [variable, optional(schemaOf(setting), description, { secret: kind === "key" })];
  });
  return Object.fromEntries(fields) as Record<SpeechVariable, Field<unknown>>;
}

/** Where the carriers' APIs are. */
function carrierFields(): Record<CarrierVariable, Field<string>> {
  const fields = Object.values(PHONE_CARRIERS).map(({ api: { variable, fallback, about } }) => [
    variable,
    standard(http, fallback, about),
  ]);
  return Object.fromEntries(fields) as Record<CarrierVariable, Field<string>>;
}

function schemaOf(setting: VendorSetting): z.ZodType {
  switch (setting.kind) {
    case "text":
    case "key":
      return text;
    case "http":
      return http;
    case "whole":
      return whole(`a number from ${setting.min} to ${setting.max}`, setting.min, setting.max);
    default:
      return setting satisfies never;
  }
}

/** Every environment variable Parley reads. Nothing else in the product looks at the environment. */
export const FIELDS = {
  HOST: standard(text, "127.0.0.1", "Address the servers listen on; 0.0.0.0 for all."),
  PRIVATE_HOST: optional(
    z.string().regex(/^[\w.:-]+$/, "a name or an address, without a port"),
    "Name or address that Prometheus reaches this very process by. Unset: HOST, or the machine's first address if that is 0.0.0.0.",
  ),
  CONTROL_API_PORT: standard(port, "8080", "Port of the control API and the pages; 0 picks a free one."),
  GATEWAY_PORT: standard(port, "8090", "Port of the gateway's sockets; 0 picks a free one."),
  APP_FRAMES_PORT: optional(
    port,
    "Port that the frames of apps are served on, beside the control API's; 0 picks a free one. Unset: 8092, or a free one if 8092 is taken and `APP_FRAMES_URL` is not set.",
  ),
  APP_FRAMES_URL: optional(
    http,
    "Address browsers reach that port by: a domain of its own, which has no cookies of the dashboard's.",
  ),
  BRAIN_PORT: standard(port, "8091", "Port of the example brain; 0 picks a free one."),
  PUBLIC_URL: optional(
    http,
    "Address people reach the control API by, when it differs from where it listens.",
  ),
  GATEWAY_PUBLIC_URL: optional(url(["ws", "wss"]), "ws(s):// address callers reach this very node by."),
  DATA_DIR: standard(text, "./data", "Where the embedded database, recordings, secrets and demo.json live."),
  ...DATABASE_FIELDS,
  REDIS_URL: optional(redisUrl, "Redis; without it a bus inside the process, so one process only.", {
    secret: true,
  }),
  REDIS_PREFIX: standard(
    redisPrefix,
    STANDARD_PREFIX,
    "In front of every key, stream and channel; another one for each installation that shares a Redis.",
  ),
  EVENT_LANES: standard(
    whole(`a number from 1 to ${MAX_LANES}`, 1, MAX_LANES),
    "1",
    "Streams into which call events are split, each on one master of a Redis Cluster; the same for all processes.",
  ),
  S3_BUCKET: optional(text, "Bucket for recordings; without it they stay in DATA_DIR."),
  S3_ENDPOINT: optional(http, "Address of an S3-compatible store other than AWS."),
  S3_REGION: standard(text, "us-east-1", "Region of the bucket."),
  S3_ACCESS_KEY_ID: optional(text, "Key id for the bucket."),
  S3_SECRET_ACCESS_KEY: optional(text, "Secret for the bucket.", { secret: true }),
  TICKET_PRIVATE_KEY: optional(
    pem(isEd25519PrivatePem, "an Ed25519 private key in PEM"),
    "Ed25519 key (PEM) the control API signs tickets with; made in DATA_DIR when absent.",
    { secret: true },
  ),
  TICKET_PUBLIC_KEY: optional(
    pem(areEd25519PublicPems, "one or more Ed25519 public keys in PEM"),
    "Its public half (PEM), all a gateway needs. Several, one after the other, are all accepted, for a rotation.",
    // Not a secret, but operators put the private one here by mistake.
    { secret: true },
  ),
  SECRETS_KEY: optional(
    secretKeys,
    "keyId:base64 of 32 bytes, comma-separated; the first encrypts, all decrypt. Rotating it: docs/operations.md. Made in DATA_DIR when absent.",
    { secret: true },
  ),
  PLAN_KEY: optional(
    secretKeys,
    "Like SECRETS_KEY, for call plans on their way over Redis: the same for control APIs and gateways. Needed beside TICKET_PUBLIC_KEY.",
    { secret: true },
  ),
  ALLOW_PRIVATE_TARGETS: optional(
    cidrs,
    "CIDR list of private addresses that brains and webhooks may have; the embedded default allows loopback.",
  ),
  DNS_SERVERS: optional(
    dnsServers,
    "Name servers (comma-separated addresses, with a port if it is not 53) for names that customers give; the system's when absent.",
  ),
  MAX_CALLS: standard(whole("a number from 1 to 100000", 1, 100_000), "450", "Calls one gateway takes."),
  RESUME_WINDOW_MS: standard(
    millis(0, 600_000),
    "15000",
    "How long a dropped socket may come back to its call.",
  ),
  AUDIO_LEAD_MS: standard(millis(20, 2_000), "200", "How far ahead of its playing time agent audio is sent."),
  START_TIMEOUT_MS: standard(millis(100, 120_000), "10000", "How long a socket may stay without start."),
  IDLE_TIMEOUT_SECS: standard(
    whole("seconds from 8 to 960", 8, 960),
    "32",
    "A peer that answers no ping for this long is gone; its call may be resumed.",
  ),
  DRAIN_TIMEOUT_MS: standard(
    millis(0, 14_400_000),
    "300000",
    "How long SIGTERM waits for live calls to end.",
  ),
  MAX_MESSAGE_BYTES: standard(
    whole("bytes from 1024 to 1048576", 1_024, 1_048_576),
    "65536",
    "Largest message of a call socket.",
  ),
  EVENT_SPILL_MAX: standard(
    whole("a number from 100 to 10000000", 100, 10_000_000),
    "50000",
    "Call events a gateway keeps while the bus is away.",
  ),
  WATCHER_BUFFER_BYTES: standard(
    whole("bytes from 4096 to 16777216", 4_096, 16_777_216),
    "262144",
    "Unsent bytes after which a slow watcher misses frames.",
  ),
  ...speechFields(),
  END_OF_TURN_URL: optional(
    http,
    "A model that is asked whether the caller is done (docs/turn-taking.md); without it the built-in judgment counts.",
  ),
  END_OF_TURN_MODEL: optional(
    text,
    "Path of an ONNX model that is asked instead, and judges by the caller's sound; a gateway does not start with one that does not fit.",
  ),
  END_OF_TURN_TIMEOUT_MS: standard(
    whole("ms from 20 to 1000", 20, 1_000),
    "150",
    "How long the end of a turn waits for that model.",
  ),
  FRONT_END: standard(
    flag,
    "true",
    "Whether gateways suppress noise and detect voice with a model, on a thread of their own; false leaves callers' sound as it is and WebRTC's detector to decide.",
  ),
  SELF_SIGNUP: standard(flag, "true", "Whether anybody may make an account; invitations work either way."),
  OIDC_PROVIDERS: optional(
    oidcProviders,
    'Identity providers, JSON: [{"id":"google","name":"Google","issuer":"https://accounts.google.com","clientId":"…","clientSecret":"…"}].',
    { secret: true },
  ),
  OAUTH_CLIENTS: optional(
    oauthClients,
    'Parley as vendors know it for OAuth, JSON: [{"provider":"https://auth.example.com","clientId":"…","clientSecret":"…"}]; the provider is a connector\'s id or an issuer\'s URL.',
    { secret: true },
  ),
  TRUST_PROXY: optional(cidrs, "CIDR list of load balancers whose X-Forwarded-For tells a caller's address."),
  SMTP_URL: optional(
    url(["smtp", "smtps"]),
    "Mail server; without it the demo has its outbox, and nobody else gets mail.",
    {
      secret: true,
    },
  ),
  MAIL_FROM: standard(text, "Parley <parley@localhost>", "Sender of mail."),
  TWILIO_ACCOUNT_SID: optional(text, "Account that sends codes by SMS."),
  TWILIO_AUTH_TOKEN: optional(text, "Its token.", { secret: true }),
  ...carrierFields(),
  INTEGRATION_URLS: standard(
    addresses,
    "",
    "Where connected vendors are instead of at their own addresses, for development: stripe=http://127.0.0.1:9000, separated by commas.",
  ),
  SMS_FROM: optional(text, "Number or messaging service that SMS come from."),
  APP_RETENTION_DAYS: standard(
    whole("days from 0 to 3650", 0, 3_650),
    "14",
    "How long webhook deliveries that are over are kept; 0 keeps them forever.",
  ),
  CHAT_IDLE_MINUTES: standard(
    whole("minutes from 1 to 10080", 1, 10_080),
    "30",
    "A text chat in which nobody writes for this long is over.",
  ),
  CHAT_MAX_AGE_HOURS: standard(
    whole("hours from 1 to 720", 1, 720),
    "24",
    "How old a text chat may get, however much is written in it.",
  ),
  RECORDING_FORMAT: standard(
    z.enum(["opus", "wav"], { error: "opus or wav" }),
    "opus",
    "How recordings are kept: opus (made of the WAV file after the call, a tenth of its size) or wav. Both are heard as WAV.",
  ),
  RECORDING_RETENTION_DAYS: standard(
    whole("days from 0 to 3650", 0, 3_650),
    "0",
    "How long recordings and transcripts are kept where an organization says nothing else; 0 keeps them forever.",
  ),
  ...EMBEDDINGS_FIELDS,
  ...BILLING_FIELDS,
  DEMO: optional(flag, "Demo workspace and the talk page's own sessions; on unless DATABASE_URL is set."),
  DEMO_BRAIN_URL: optional(http, "Brain of the demo agent instead of the example brain."),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    http,
    "Collector that takes OpenTelemetry traces (OTLP over HTTP); without it nothing is traced.",
  ),
  OTEL_SERVICE_NAME: standard(text, "parley-gateway", "Name of this process in traces."),
  LOG_LEVEL: standard(
    z.enum(LOG_LEVELS, { error: LOG_LEVELS.join(", ") }),
    "info",
    "fatal, error, warn, info, debug, trace or silent.",
  ),
  LOG_FORMAT: standard(
    z.enum(["json", "pretty"], { error: "json or pretty" }),
    "json",
    "json, or pretty for people.",
  ),
} as const satisfies Record<string, Field<unknown>>;

export type FieldName = keyof typeof FIELDS;
export type FieldValues = { [K in FieldName]: z.output<(typeof FIELDS)[K]["schema"]> };

/** The table of docs/configuration.md, generated from the same declarations. */
export function configReference(): { name: string; fallback: string; description: string }[] {
  const fields: [string, Field<unknown>][] = Object.entries(FIELDS);
  return fields.map(([name, { fallback, description }]) => ({ name, fallback: fallback ?? "", description }));
}
