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
import type { Module } from "../modules/module.ts";
import type { RecordingLinks } from "../records/recordings/recording-links.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import type { ToolExecutors } from "../tools/executor.ts";
import { carrierConnectionRoutes } from "./carriers/connections/routes.ts";
import { openCarriers } from "./carriers/open-carriers.ts";
import { openTelephony, type TelephonyDeps } from "./carriers/open-telephony.ts";
import { catalogRoutes } from "./catalog/routes.ts";
import type { ChatDeps } from "./chat/chat-deps.ts";
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
import type { AdmitCall } from "./sessions/admission.ts";
import { initiateCall } from "./sessions/initiate-call.ts";
import { phoneSessionRoutes } from "./sessions/phone-routes.ts";
import { sessionReadRoutes } from "./sessions/read-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { stopRingingAt } from "./softphones/incoming-calls.ts";
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
  readonly recordings: StoredFiles;
  readonly recordingLinks: RecordingLinks;
  readonly egress: Pick<Egress, "to">;
  /** Whether a new call may begin. */
  readonly admitCall: AdmitCall;
  /** As people and carriers reach this API. */
  readonly baseUrl: () => string;
  /** Phones of a test's own in the place of the built-in ones. */
  readonly phones?: TelephonyDeps["phones"];
  /** How long a member's devices ring, instead of 45 s. */
  readonly memberRingsMs?: number;
  /** How long a phone that is dialed rings, instead of 45 s. */
  readonly ringTimeoutSecs?: number;
}

export interface Channels {
  readonly module: Module;
  /** What text conversations are held with, whatever carries them. */
  readonly chat: ChatDeps;
  /** Places one outbound call by an agent; `intend` is told its id before anything is dialed. Throws what `initiateCall` does. */
  readonly placeCall: (input: InitiateCall, caller: Caller, intend?: Intend) => Promise<PlacedCall>;
  /** Begins a stranger's conversation with a public agent; throws what `beginVisit` does. */
  readonly beginVisit: BeginVisit;
}

/** How a conversation reaches an agent: sessions of web calls and phone calls, carriers, numbers, softphones, chat. */
export function openChannels(given: ChannelsDeps): Channels {
  const carriers = openCarriers(given);
  const telephony = openTelephony({ ...given, carriers: carriers.carriers });
  const chat = openChat(given);
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
      rehearsalRoutes(app, { ...chat.parts, rates: given.limits });
      visitorChatRoutes(app, { ...chat.parts, rates: given.limits, audit: given.audit });
      visitRoutes(app, deps);
      carrierConnectionRoutes(app, { ...deps, reach: carriers.reach });
    },
    onCallEvent: (event) => {
      void telephony.phoneCalls.recorded(event);
      void stopRingingAt(event, deps);
    },
    eraseContent: eraseChatContent,
    // Between two events of a chat: its transcript has them.
    personalData: [{ name: "chats", tables: ["chats"] }],
    jobs: [every(SWEEP_EVERY_MS, "sweep_chats", () => chat.sweeper.sweep())],
    stop: async () => {
      await telephony.close();
      await chat.close();
    },
  };
  return {
    module,
    chat: chat.parts,
    // Apps name no key: nothing has to be found again.
    placeCall: (input, caller, intend = async () => undefined) =>
      initiateCall(input, caller, { ...deps, intend }),
    beginVisit: (agent, wanted, visitor) => beginVisit(agent, wanted, visitor, deps),
  };
}
