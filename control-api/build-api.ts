import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import fastify from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { agentRoutes } from "./agents/agents/routes.ts";
import { testBrainRoutes } from "./agents/agents/test-brain-routes.ts";
import { agentVersionRoutes } from "./agents/agents/version-routes.ts";
import { clientTokenRoutes } from "./agents/client-tokens/routes.ts";
import { piiRoutes } from "./agents/pii/routes.ts";
import type { CarrierParts } from "./build-carriers.ts";
import type { IdentityParts } from "./build-identity.ts";
import { carrierConnectionRoutes } from "./channels/carriers/connections/routes.ts";
import type { Loopback } from "./channels/carriers/loopback/loopback.ts";
import type { PhoneCalls } from "./channels/carriers/phone-calls.ts";
import { catalogRoutes } from "./channels/catalog/routes.ts";
import type { ChatDeps } from "./channels/chat/chat-deps.ts";
import { chatRoutes } from "./channels/chat/routes.ts";
import { visitorChatRoutes } from "./channels/chat/visitor-routes.ts";
import { carrierRoutes } from "./channels/inbound/carrier-routes.ts";
import { loopbackRoutes } from "./channels/inbound/loopback-routes.ts";
import { numberRoutes } from "./channels/numbers/routes.ts";
import { voiceNumberRoutes } from "./channels/numbers/voice-routes.ts";
import { phoneSessionRoutes } from "./channels/sessions/phone-routes.ts";
import { sessionReadRoutes } from "./channels/sessions/read-routes.ts";
import { sessionRoutes } from "./channels/sessions/routes.ts";
import { softphoneRoutes } from "./channels/softphones/routes.ts";
import { type TalkDeps, talkRoutes } from "./channels/talk/routes.ts";
import type { Database } from "./database/open.ts";
import { healthRoutes } from "./http/health/routes.ts";
import { pageRoutes } from "./http/pages/routes.ts";
import { accessPlugin } from "./http/plugins/access.ts";
import { closingPlugin } from "./http/plugins/closing.ts";
import { errorsPlugin, refuseUnreadable } from "./http/plugins/errors.ts";
import { inputPlugin } from "./http/plugins/input.ts";
import { lingeringPlugin } from "./http/plugins/lingering.ts";
import { observabilityPlugin } from "./http/plugins/observability.ts";
import { openapiPlugin } from "./http/plugins/openapi/openapi.ts";
import { validatorCompiler } from "./http/plugins/validation.ts";
import type { Reads } from "./http/reads.ts";
import type { Api } from "./http/routes.ts";
import { accountRoutes } from "./identity/accounts/account-routes.ts";
import { signInRoutes } from "./identity/accounts/sign-in-routes.ts";
import { apiKeyRoutes } from "./identity/api-keys/routes.ts";
import { auditRoutes } from "./identity/audit/routes.ts";
import { meRoutes } from "./identity/me/routes.ts";
import { outboxRoutes } from "./identity/messages/routes.ts";
import { oidcRoutes } from "./identity/oidc/routes.ts";
import { orgRoutes } from "./identity/orgs/routes.ts";
import { tokenRoutes } from "./identity/tokens/routes.ts";
import { orgCallRoutes } from "./records/calls/org-routes.ts";
import { callRoutes } from "./records/calls/routes.ts";
import { orgRecordingListRoutes } from "./records/recordings/org-list-routes.ts";
import { orgRecordingRoutes } from "./records/recordings/org-routes.ts";
import { publicRecordingRoute } from "./records/recordings/public-route.ts";
import type { RecordingLinks } from "./records/recordings/recording-links.ts";
import type { StoredFiles } from "./records/recordings/stored-files.ts";
import { Waveforms } from "./records/recordings/waveforms.ts";
import { retentionRoutes } from "./records/retention/routes.ts";
import { trackRoutes } from "./records/tracks/routes.ts";
import { endpointHealthRoutes } from "./webhooks/health-routes.ts";
import { hookRoutes } from "./webhooks/hook-routes.ts";
import { listenerRoutes } from "./webhooks/listener-routes.ts";
import { replayRoutes, triggerRoute } from "./webhooks/replay-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

const BODY_LIMIT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export interface ApiDeps {
  readonly config: Config;
  readonly bus: Bus;
  readonly database: Database;
  readonly reads: Reads;
  readonly tickets: TicketSigner;
  readonly plans: PlanBox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly parts: IdentityParts;
  readonly chat: ChatDeps;
  readonly urlRules: UrlRules;
  readonly phoneCalls: PhoneCalls;
  readonly loopback: Loopback;
  /** As people and carriers reach this API. */
  readonly baseUrl: () => string;
  /** How long a member's devices ring, instead of 45 s. */
  readonly memberRingsMs?: number;
  /** How long a phone that is dialed rings, instead of 45 s. */
  readonly ringTimeoutSecs?: number;
  /** How long the test of a brain may take, instead of 30 s. */
  readonly brainTestLimitMs?: number;
  readonly carrierParts: CarrierParts;
  readonly recordingLinks: RecordingLinks;
  readonly recordings: StoredFiles;
  /** Webhook deliveries were committed. */
  readonly announceDeliveries: () => void;
  readonly pagesDir: string;
  readonly demo: TalkDeps["demo"];
}

/** The control API: one line a concern, then one line a capability. */
export async function buildApi(deps: ApiDeps): Promise<Api> {
  const app: Api = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: refuseUnreadable,
    genReqId: () => newId("req"),
    trustProxy: [...(deps.config.http.trustProxy ?? [])],
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const { identity, resolvers, providers, secrets, signingKeys, messenger } = deps.parts;

  await app.register(errorsPlugin, { log: deps.log });
  await app.register(closingPlugin);
  await app.register(lingeringPlugin, { clock: deps.clock });
  await app.register(inputPlugin);
  await app.register(observabilityPlugin, { metrics: deps.metrics });
  await app.register(accessPlugin, { ...resolvers, publicPrefixes: ["/docs", "/assets/"] });
  await app.register(openapiPlugin, deps);

  healthRoutes(app, deps);
  signInRoutes(app, identity);
  oidcRoutes(app, { identity, providers, secrets });
  tokenRoutes(app, { identity, signingKeys });
  accountRoutes(app, identity);
  orgRoutes(app, identity);
  apiKeyRoutes(app, identity);
  auditRoutes(app, deps);
  piiRoutes(app, identity);
  retentionRoutes(app, { ...identity, defaultDays: deps.config.recordings.retentionDays });
  meRoutes(app);
  allAgentRoutes(app, deps);
  sessionRoutes(app, { ...deps, secrets, audit: identity.audit });
  phoneSessionRoutes(app, { ...deps, secrets });
  softphoneRoutes(app, { ...deps, secrets });
  loopbackRoutes(app, { ...deps, secrets, limits: identity.limits });
  await carrierRoutes(app, { ...deps, secrets, carriers: deps.carrierParts.carriers });
  numberRoutes(app, deps);
  voiceNumberRoutes(app, deps);
  chatRoutes(app, deps.chat);
  visitorChatRoutes(app, { ...deps.chat, rates: identity.limits, audit: identity.audit });
  await keptCallRoutes(app, deps);
  const webhooks = {
    database: deps.database,
    reads: deps.reads,
    clock: deps.clock,
    audit: identity.audit,
    secrets,
    urlRules: deps.urlRules,
  };
  webhookRoutes(app, webhooks);
  endpointHealthRoutes(app, webhooks);
  hookRoutes(app, webhooks);
  listenerRoutes(app, { ...webhooks, channels: deps.bus.channels, log: deps.log });
  replayRoutes(app, { ...webhooks, announce: deps.announceDeliveries });
  triggerRoute(app, { ...webhooks, announce: deps.announceDeliveries });
  carrierConnectionRoutes(app, { ...webhooks, reach: deps.carrierParts.reach });
  if (messenger.outbox) outboxRoutes(app, messenger.outbox);
  talkRoutes(app, { ...deps, secrets });
  await pageRoutes(app, deps);
  return app;
}

/** Agents, what they can use, and the tokens that begin a call with one. */
function allAgentRoutes(app: Api, deps: ApiDeps): void {
  const { identity, secrets } = deps.parts;
  agentRoutes(app, { ...identity, secrets, channels: deps.bus.channels });
  agentVersionRoutes(app, identity);
  testBrainRoutes(app, { ...identity, ...deps, secrets });
  clientTokenRoutes(app, { ...identity, secrets });
  catalogRoutes(app, deps);
}

/** What is kept of calls, and the tracks that are played into them. */
async function keptCallRoutes(app: Api, deps: ApiDeps): Promise<void> {
  const { audit } = deps.parts.identity;
  const kept = { ...deps, waveforms: new Waveforms(deps) };
  callRoutes(app, kept);
  orgCallRoutes(app, kept);
  sessionReadRoutes(app, kept);
  orgRecordingListRoutes(app, kept);
  orgRecordingRoutes(app, { ...kept, audit });
  publicRecordingRoute(app, kept);
  await trackRoutes(app, deps);
}
