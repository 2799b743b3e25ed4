import type { z } from "zod";
import { ofEachCarrier, PHONE_CARRIERS } from "../contracts/phone-carriers.ts";
import { plainEnglish } from "../contracts/plain-english.ts";
import {
  SPEECH_VENDORS,
  type SpeechConfig,
  type SpeechVariable,
  speechSettings,
} from "../contracts/speech-vendors.ts";
import { hasPublicHalf } from "../security/pem.ts";
import { type Budgets, STANDARD_BUDGETS } from "./budgets.ts";
import type { Field } from "./field.ts";
import { FIELDS, type FieldValues } from "./fields.ts";

export { configReference } from "./fields.ts";

/** Every configured value, grouped by its consumer. Frozen. */
export type Config = ReturnType<typeof toConfig>;

export type EmbeddingsConfig = NonNullable<Config["embeddings"]>;

/** Lists everything that is wrong with the environment. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Reads the environment once. Throws `ConfigError` naming every invalid variable and what was expected. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const fields: [string, Field<unknown>][] = Object.entries(FIELDS);
  for (const [name, field] of fields) {
    const raw = env[name] === "" ? undefined : env[name];
    const parsed = field.schema.safeParse(raw ?? field.fallback, { error: plainEnglish });
    if (parsed.success) values[name] = parsed.data;
    else problems.push(describe(name, raw, { field, wrong: wrongIn(parsed.error.issues[0]) }));
  }
  problems.push(...contradictionsIn(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(toConfig(values as FieldValues));
}

function describe(
  name: string,
  raw: string | undefined,
  { field, wrong }: { field: Field<unknown>; wrong: string },
): string {
  const given = field.secret ? "a value that is not shown" : JSON.stringify(raw);
  return `${name} is ${given}; ${wrong}`;
}

/** A field says what it expects itself; of a value inside JSON, its place and what is wrong with it. */
function wrongIn(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "expected another value";
  if (issue.path.length > 0) return `its ${issue.path.join(".")} ${issue.message}`;
  return /^(is|must) /.test(issue.message) ? `it ${issue.message}` : `expected ${issue.message}`;
}

function budgetsOf(env: FieldValues): Budgets {
  const { calls, reads, background } = STANDARD_BUDGETS;
  return {
    calls: { ...calls, connections: env.DATABASE_CALL_CONNECTIONS },
    reads: {
      ...reads,
      connections: env.DATABASE_READ_CONNECTIONS,
      statementTimeoutMs: env.DATABASE_READ_TIMEOUT_MS,
    },
    background: { ...background, connections: env.DATABASE_BACKGROUND_CONNECTIONS },
  };
}

function httpOf(env: FieldValues) {
  return {
    host: env.HOST,
    privateHost: env.PRIVATE_HOST,
    controlApiPort: env.CONTROL_API_PORT,
    gatewayPort: env.GATEWAY_PORT,
    brainPort: env.BRAIN_PORT,
    appFramesPort: env.APP_FRAMES_PORT,
    appFramesUrl: env.APP_FRAMES_URL === undefined ? undefined : new URL(env.APP_FRAMES_URL).origin,
    publicUrl: env.PUBLIC_URL,
    gatewayPublicUrl: env.GATEWAY_PUBLIC_URL,
    trustProxy: env.TRUST_PROXY,
  };
}

function storageOf(env: FieldValues) {
  return {
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL,
    replicaUrl: env.DATABASE_REPLICA_URL,
    replicaWaitMs: env.DATABASE_REPLICA_WAIT_MS,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    lanes: env.EVENT_LANES,
    budgets: budgetsOf(env),
    s3: {
      bucket: env.S3_BUCKET,
      endpoint: env.S3_ENDPOINT,
      region: env.S3_REGION,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    },
  };
}

/** Each vendor's settings by name; `fields.ts` derives the schemas from the same descriptors. */
function speechOf(env: Readonly<Record<SpeechVariable, unknown>>): SpeechConfig {
  const vendors: Record<string, Record<string, unknown>> = Object.fromEntries(
    Object.keys(SPEECH_VENDORS).map((vendor) => [vendor, {}]),
  );
  for (const { vendor, name, setting } of speechSettings()) {
    Object.assign(vendors[vendor] ?? {}, { [name]: env[setting.variable as SpeechVariable] });
  }
  return vendors as SpeechConfig;
}

function billingOf(env: FieldValues) {
  return {
    isOn: env.BILLING === "on",
    bankTransferDetails: env.BANK_TRANSFER_DETAILS,
    seller: env.INVOICE_SELLER,
    stripe: {
      apiUrl: new URL(env.STRIPE_API_URL).origin,
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET?.split(",").map((secret) => secret.trim()) ?? [],
    },
  };
}

/** Undefined without a service. */
function embeddingsOf(env: FieldValues) {
  if (env.EMBEDDINGS_URL === undefined) return undefined;
  return {
    baseUrl: env.EMBEDDINGS_URL,
    apiKey: env.EMBEDDINGS_API_KEY,
    model: env.EMBEDDINGS_MODEL,
    dimensions: env.EMBEDDINGS_DIMENSIONS,
    minSimilarity: env.EMBEDDINGS_MIN_SIMILARITY,
  };
}

function toConfig(env: FieldValues) {
  return {
    http: httpOf(env),
    storage: storageOf(env),
    security: {
      ticketPrivateKey: env.TICKET_PRIVATE_KEY,
      ticketPublicKey: env.TICKET_PUBLIC_KEY,
      secretsKey: env.SECRETS_KEY,
      planKey: env.PLAN_KEY,
      allowPrivateTargets: env.ALLOW_PRIVATE_TARGETS,
    },
    gateway: {
      maxCalls: env.MAX_CALLS,
      resumeWindowMs: env.RESUME_WINDOW_MS,
      audioLeadMs: env.AUDIO_LEAD_MS,
      startTimeoutMs: env.START_TIMEOUT_MS,
      idleTimeoutSecs: env.IDLE_TIMEOUT_SECS,
      drainTimeoutMs: env.DRAIN_TIMEOUT_MS,
      maxMessageBytes: env.MAX_MESSAGE_BYTES,
      eventSpillMax: env.EVENT_SPILL_MAX,
      watcherBufferBytes: env.WATCHER_BUFFER_BYTES,
    },
    speech: {
      ...speechOf(env),
      hasFrontEnd: env.FRONT_END,
    },
    endOfTurn: {
      url: env.END_OF_TURN_URL,
      modelPath: env.END_OF_TURN_MODEL,
      timeoutMs: env.END_OF_TURN_TIMEOUT_MS,
    },
    dns: { servers: env.DNS_SERVERS },
    recordings: { format: env.RECORDING_FORMAT, retentionDays: env.RECORDING_RETENTION_DAYS },
    webhooks: { retentionDays: env.APP_RETENTION_DAYS },
    chat: { idleMs: env.CHAT_IDLE_MINUTES * 60_000, maxAgeMs: env.CHAT_MAX_AGE_HOURS * 3_600_000 },
    identity: {
      selfSignup: env.SELF_SIGNUP,
      oidcProviders: env.OIDC_PROVIDERS ?? [],
      operators: env.OPERATORS ?? [],
    },
    oauthClients: env.OAUTH_CLIENTS ?? [],
    messages: {
      smtpUrl: env.SMTP_URL,
      mailFrom: env.MAIL_FROM,
      twilio: {
        accountSid: env.TWILIO_ACCOUNT_SID,
        authToken: env.TWILIO_AUTH_TOKEN,
        apiUrl: env.TWILIO_API_URL,
        from: env.SMS_FROM,
      },
    },
    carriers: {
      apiUrls: ofEachCarrier((carrier) => env[PHONE_CARRIERS[carrier].api.variable]),
    },
    integrations: { vendorUrls: env.INTEGRATION_URLS },
    embeddings: embeddingsOf(env),
    billing: billingOf(env),
    demo: { isOn: env.DEMO ?? env.DATABASE_URL === undefined, brainUrl: env.DEMO_BRAIN_URL },
    tracing: { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: env.OTEL_SERVICE_NAME },
    log: { level: env.LOG_LEVEL, format: env.LOG_FORMAT },
  };
}

/** Contradictions between values that are valid on their own; individually invalid values are absent from `env`. */
function contradictionsIn(env: Partial<FieldValues>): string[] {
  const problems: string[] = [];
  const { TICKET_PRIVATE_KEY: privateKey, TICKET_PUBLIC_KEY: publicKey } = env;
  if ((env.S3_ACCESS_KEY_ID === undefined) !== (env.S3_SECRET_ACCESS_KEY === undefined))
    problems.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; set both or neither");
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"] as const) {
    if (env.DATABASE_URL === undefined && env[name] !== undefined)
      problems.push(`${name} is set; DATABASE_URL is expected too`);
  }
  if (env.S3_BUCKET === undefined && env.S3_ACCESS_KEY_ID !== undefined)
    problems.push("S3_ACCESS_KEY_ID is set; S3_BUCKET is expected too");
  if (privateKey !== undefined && publicKey !== undefined && !hasPublicHalf(privateKey, publicKey))
    problems.push("TICKET_PUBLIC_KEY does not hold the public half of TICKET_PRIVATE_KEY");
  const sms = [env.TWILIO_ACCOUNT_SID, env.TWILIO_AUTH_TOKEN, env.SMS_FROM];
  if (sms.some((value) => value !== undefined) && sms.includes(undefined))
    problems.push("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and SMS_FROM go together; set all or none");
  if ((env.STRIPE_SECRET_KEY === undefined) !== (env.STRIPE_WEBHOOK_SECRET === undefined))
    problems.push("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together; set both or neither");
  if (env.END_OF_TURN_URL !== undefined && env.END_OF_TURN_MODEL !== undefined)
    problems.push("END_OF_TURN_URL and END_OF_TURN_MODEL are both set; one model is expected");
  if (isAtLeast(env.AUDIO_LEAD_MS, env.START_TIMEOUT_MS))
    problems.push("AUDIO_LEAD_MS has to be less than START_TIMEOUT_MS");
  return problems;
}

function isAtLeast(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a >= b;
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === "object" && child !== null) deepFreeze(child);
  }
  return Object.freeze(value);
}
