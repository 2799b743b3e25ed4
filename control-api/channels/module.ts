import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { InitiateCall, PlacedCall } from "@parley/shared/contracts/telephony.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { PlanBox } from "@parley/shared/security/plan-box.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { TicketSigner } from "@parley/shared/security/tickets.ts";
import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import type { Caller } from "../agents/agents/agent-for-call.ts";
import type { Databases } from "../database/open.ts";
import type { Intend } from "../http/idempotency/once.ts";
import type { Limits } from "../http/limits/limits.ts";
import type { Audit } from "../identity/audit/audit.ts";
import { every } from "../jobs/job-kind.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Module } from "../modules/module.ts";
import type { RecordingLinks } from "../records/recordings/recording-links.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import type { ToolExecutors } from "../tools/executor.ts";
import { carrierTroubles } from "./carriers/connections/refusals.ts";
import { carrierConnectionRoutes } from "./carriers/connections/routes.ts";
import { followsCall, followsPhoneCalls } from "./carriers/follow-calls.ts";
import { createPhoneVoice } from "./carriers/loopback/phone-voice.ts";
import { openCarriers } from "./carriers/open-carriers.ts";
import { openTelephony, type TelephonyDeps } from "./carriers/open-telephony.ts";
import { catalogRoutes } from "./catalog/routes.ts";
import type { ChatDeps, CountTokens } from "./chat/chat-deps.ts";
import { eraseChatContent } from "./chat/erase-content.ts";
import { openChat } from "./chat/open-chat.ts";
import { chatRoutes } from "./chat/routes.ts";
import { SWEEP_EVERY_MS } from "./chat/sweeper.ts";
import { visitorChatRoutes } from "./chat/visitor-routes.ts";
import { carrierRoutes } from "./inbound/carrier-routes.ts";
import { loopbackRoutes } from "./inbound/loopback-routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { voiceNumberRoutes } from "./numbers/voice-routes.ts";
import { type BeginVisit, beginVisit } from "./public/begin-visit.ts";
import { visitRoutes } from "./public/routes.ts";
import { rehearsalRoutes } from "./rehearsals/routes.ts";
import { holdsSpoken } from "./rehearsals/spoken/job.ts";
import type { AdmitCall } from "./sessions/admission.ts";
import { initiateCall } from "./sessions/initiate-call.ts";
import { phoneSessionRoutes } from "./sessions/phone-routes.ts";
import { sessionReadRoutes } from "./sessions/read-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { stopsRinging } from "./softphones/incoming-calls.ts";
import { softphoneRoutes } from "./softphones/routes.ts";

export interface ChannelsDeps {
  readonly config: Config;
  readonly bus: Bus;
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: SecretBox;
  readonly tickets: TicketSigner;
  readonly plans: PlanBox;
  readonly toolExecutors: ToolExecutors;
  readonly controlApiTools: ControlApiTools;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly queue: JobQueue;
  readonly recordings: StoredFiles;
  readonly recordingLinks: RecordingLinks;
  readonly egress: Pick<Egress, "to">;
  /** Decides whether a new call may begin. */
  readonly admitCall: AdmitCall;
  /** Counts model usage of chat turns that were not kept. */
  readonly countTokens: CountTokens;
  /** The URL at which people and carriers reach this API. */
  readonly baseUrl: () => string;
  /** A test's own phones, in place of the built-in ones. */
  readonly phones?: TelephonyDeps["phones"];
  /** How long a member's devices ring, instead of 45 s. */
  readonly memberRingsMs?: number;
  /** How long a phone that is dialed rings, instead of 45 s. */
  readonly ringTimeoutSecs?: number;
}

export interface Channels {
  readonly module: Module;
  /** Text conversations, over whichever channel. */
  readonly chat: ChatDeps;
  /** Places one outbound call by an agent; calls `intend` with its id before dialing. Throws as `initiateCall` does. */
  readonly placeCall: (input: InitiateCall, caller: Caller, intend?: Intend) => Promise<PlacedCall>;
  /** Begins a stranger's conversation with a public agent; throws what `beginVisit` does. */
  readonly beginVisit: BeginVisit;
}

/** How conversations reach agents: web and phone calls, carriers, numbers, softphones, chat. */
export function openChannels(given: ChannelsDeps): Channels {
  const carriers = openCarriers(given);
  const telephony = openTelephony({ ...given, carriers: carriers.carriers });
  const chat = openChat(given);
  const callers = createPhoneVoice(given.clock);
  const deps = { ...given, ...telephony, chat: chat.parts };
  const module: Module = {
    name: "channels",
    routes: async (app) => {
      catalogRoutes(app, deps);
      sessionRoutes(app, deps);
      phoneSessionRoutes(app, deps);
      sessionReadRoutes(app, deps);
      softphoneRoutes(app, deps);
      loopbackRoutes(app, deps);
      await carrierRoutes(app, { ...deps, carriers: carriers.carriers });
      numberRoutes(app, deps);
      voiceNumberRoutes(app, deps);
      chatRoutes(app, chat.parts);
      rehearsalRoutes(app, { ...chat.parts, rates: given.limits, bus: given.bus, queue: given.queue });
      visitorChatRoutes(app, { ...chat.parts, rates: given.limits, audit: given.audit });
      visitRoutes(app, deps);
      carrierConnectionRoutes(app, { ...deps, reach: carriers.reach });
    },
    onCallEvents: (events) => {
      const said = events.filter((event) => event.type === "call.message");
      void telephony.phoneCalls.heard(said.filter(({ role }) => role === "user"));
    },
    subscriptions: [followsPhoneCalls({ ...telephony, queue: given.queue }), stopsRinging(given)],
    eraseContent: eraseChatContent,
    troubles: carrierTroubles(given.database),
    // Covers unrecorded chat content; the transcript has the rest.
    personalData: [{ name: "chats", tables: ["chats"] }],
    jobs: [
      every(SWEEP_EVERY_MS, "sweep_chats", () => chat.sweeper.sweep()),
      followsCall({ ...telephony, log: given.log, database: given.database }),
      holdsSpoken({ ...deps, brain: chat.parts.brain, voices: callers, database: given.database.background }),
    ],
    stop: async () => {
      await telephony.close();
      await callers.close();
      await chat.close();
    },
  };
  return {
    module,
    chat: chat.parts,
    // Apps pass no idempotency key, so there is nothing to recover.
    placeCall: (input, caller, intend = async () => undefined) =>
      initiateCall(input, caller, { ...deps, intend }),
    beginVisit: (agent, wanted, visitor) => beginVisit(agent, wanted, visitor, deps),
  };
}
