import type { Bus } from "@parley/shared/bus/bus.ts";
import { systemClock, toTimestamp } from "@parley/shared/clock.ts";
import { callPlanKey, callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { newId } from "@parley/shared/ids.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { createTicketSigner, type TicketKind, type TicketSigner } from "@parley/shared/security/tickets.ts";
import type { z } from "zod";

/** Long enough for a slow ramp: sessions are created ahead of their calls. */
const PLAN_TTL_MS = 600_000;
const TICKET_TTL_SECS = 600;

/** A bench's agent settings; the rest is the product's default. */
export type AgentInput = Partial<z.input<typeof callPlanSchema>>;

export interface LoadSession {
  readonly sessionId: string;
  readonly websocketUrl: string;
}

/** Does the control API's work for a web call (leaves a plan, signs a ticket) without a database. */
export class PlanSeeder {
  readonly #bus: Bus;
  readonly #brainUrl: string;
  readonly #plans: PlanBox;
  readonly #signer: TicketSigner;

  constructor(deps: { bus: Bus; keys: { privateKeyPem: string }; planKey: string; brainUrl: string }) {
    this.#bus = deps.bus;
    this.#brainUrl = deps.brainUrl;
    this.#plans = new PlanBox(deps.planKey);
    this.#signer = createTicketSigner({ privateKeyPem: deps.keys.privateKeyPem, clock: systemClock });
  }

  /** Creates a session on the gateway at `wsUrl`. */
  async create(wsUrl: string, agent: AgentInput = {}): Promise<LoadSession> {
    const sessionId = newId("ses");
    const plan = callPlanSchema.parse({
      brain: { url: this.#brainUrl },
      tts: [{ vendor: "deepgram" }],
      sessionId,
      callId: newId("cal"),
      orgId: "org_load",
      agentId: "agt_load",
      userId: "usr_load",
      identifier: null,
      variables: {},
      nodeId: "nod_load",
      createdAt: toTimestamp(systemClock.wallMs()),
      ...agent,
    });
    await this.#bus.keys.set(callPlanKey(sessionId), this.#plans.seal(plan), PLAN_TTL_MS);
    return { sessionId, websocketUrl: await this.urlFor(wsUrl, sessionId, "call") };
  }

  /** The address of a session's call or stream socket. */
  async urlFor(wsUrl: string, sessionId: string, kind: TicketKind): Promise<string> {
    const ticket = await this.#signer.sign({ sessionId, orgId: "org_load", kind }, TICKET_TTL_SECS);
    return `${wsUrl}/v1/${kind === "call" ? "calls" : "streams"}/${sessionId}?ticket=${ticket}`;
  }
}
