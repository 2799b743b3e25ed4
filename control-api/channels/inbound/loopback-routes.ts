import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  type LoopbackCallRequest,
  loopbackCallResponseSchema,
  loopbackCallSchema,
} from "@parley/shared/contracts/softphones.ts";
import { fieldError } from "@parley/shared/errors.ts";
import { LOOPBACK_CALLS } from "../../http/access/rules.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findTrack } from "../../records/tracks/store.ts";
import { noSuchTrack } from "../../records/tracks/tracks.ts";
import type { Loopback } from "../carriers/loopback/loopback.ts";
import { findNumber } from "../numbers/store.ts";
import type { IncomingCallsDeps } from "../softphones/incoming-calls.ts";
import { findByCallSid, takeInboundCall } from "./inbound-call.ts";

export interface LoopbackRoutesDeps extends IncomingCallsDeps {
  readonly limits: Limits;
  readonly loopback: Loopback;
}

/** Inbound calls without a carrier account. */
export function loopbackRoutes(app: Api, deps: LoopbackRoutesDeps): void {
  app.post(
    "/api/orgs/:orgId/loopback-calls",
    {
      config: { access: LOOPBACK_CALLS },
      schema: {
        tags: ["sessions"],
        security: KEY_OR_USER_SECURITY,
        summary: "Let a simulated phone call one of the organization's loopback numbers",
        params: orgParamsSchema,
        body: loopbackCallSchema,
        response: responses(201, loopbackCallResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId } = actorOf(request);
      await deps.limits.take("loopback_calls_per_organization", orgId);
      const called = await callIn(orgId, request.body, deps);
      return reply.status(201).send(success(called));
    },
  );
}

/**
 * Throws `AppError` bad_request (not a loopback number of the organization), not_found (a track of the script),
 * conflict (nobody takes calls to the number).
 */
async function callIn(
  orgId: string,
  { to, from, script }: LoopbackCallRequest,
  deps: LoopbackRoutesDeps,
): Promise<{ callSid: string; sessionId: string }> {
  const { database, loopback: carrier } = deps;
  const number = await findNumber(database, orgId, { number: to });
  if (number?.carrier !== carrier.name)
    throw fieldError(
      "bad_request",
      "to",
      "to must be a loopback number of this organization: see GET /api/v1/numbers.",
    );
  for (const step of script ?? []) {
    const { trackId } = step.do === "play" ? step : {};
    if (trackId !== undefined && !(await findTrack(database, orgId, trackId))) throw noSuchTrack(trackId);
  }
  const phone = await carrier.pickUp(from, script);
  try {
    const { callSid } = phone;
    await takeInboundCall({ type: "inbound", callSid, from, to }, { orgId, carrier }, deps);
    const call = await findByCallSid(carrier.name, callSid, deps);
    if (call && phone.begin(call.sessionId)) return { callSid, sessionId: call.sessionId };
  } catch (error) {
    phone.hangUp();
    throw error;
  }
  phone.hangUp();
  throw fieldError(
    "conflict",
    "to",
    `No one answers calls to ${to}. Assign it to an agent or to a member who may answer, and check that a gateway is running.`,
  );
}
