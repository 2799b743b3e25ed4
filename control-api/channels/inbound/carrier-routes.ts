import { storableText } from "@parley/shared/contracts/storable.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import { takeOnce } from "../carriers/callback-guard.ts";
import type { CarrierAnswer, CarrierEvent, CarrierRequest } from "../carriers/carrier.ts";
import type { Carriers } from "../carriers/connections/carriers.ts";
import { findLeg, type PhoneLeg } from "../carriers/leg-store.ts";
import type { IncomingCallsDeps } from "../softphones/incoming-calls.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { answerWaiting, findByCallSid, takeInboundCall } from "./inbound-call.ts";

const MAX_CALLBACK_BYTES = 64 * 1024;
const id = z.string().min(1).max(64);
const account = z.object({ connectionId: id });
const call = account.extend({ sessionId: id });
const transfer = call.extend({ transferId: id });
const schema = { hide: true };
const config = { access: PUBLIC };

export interface CarrierRoutesDeps extends IncomingCallsDeps {
  readonly carriers: Carriers;
  /** The base URL that carriers call, which they sign. */
  readonly baseUrl: () => string;
}

type Connection = NonNullable<Awaited<ReturnType<Carriers["findById"]>>>;

/** Carrier callbacks, authenticated by the signature over their exact bytes. */
export async function carrierRoutes(app: Api, deps: CarrierRoutesDeps): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const asBytes = { parseAs: "buffer", bodyLimit: MAX_CALLBACK_BYTES } as const;
    scope.addContentTypeParser("*", asBytes, (_request, body, done) => done(null, body));
    callbackRoute(scope, deps, {
      path: "/api/public/carriers/:connectionId/calls/:sessionId",
      params: call,
      follow: ({ sessionId }, events, connection) => followCall(sessionId, events, { connection, deps }),
    });
    callbackRoute(scope, deps, {
      path: "/api/public/carriers/:connectionId/calls/:sessionId/transfers/:transferId",
      params: transfer,
      follow: (ids, events, connection) => followTarget(ids, events, { connection, deps }),
    });
    callbackRoute(scope, deps, {
      path: "/api/public/carriers/:connectionId/inbound",
      params: account,
      follow: (_, events, connection) => followAccount(events, connection, deps),
    });
    done();
  });
}

interface Callbacks<Ids> {
  readonly path: string;
  readonly params: z.ZodType<Ids>;
  /** Returns the reply to the carrier. */
  readonly follow: (
    ids: Ids,
    events: readonly CarrierEvent[],
    connection: Connection,
  ) => Promise<CarrierAnswer>;
}

/** Verifies a callback to an account's address, takes it once, and follows it. */
function callbackRoute<Ids extends { connectionId: string }>(
  scope: Api,
  deps: CarrierRoutesDeps,
  { path, params, follow }: Callbacks<Ids>,
): void {
  scope.post(path, { config, schema }, async (request, reply) => {
    const ids = params.parse(request.params);
    const { connectionId } = ids;
    const connection = await connectionOf(connectionId, deps);
    const said = connection.carrier.readCallback(asCarrierRequest(request, deps.baseUrl()));
    const guard = { connectionId, keys: deps.bus.keys, clock: deps.clock };
    const events = said.events.map(storableEvent);
    const answer = await takeOnce(said, guard, () => follow(ids, events, connection));
    return reply.type(answer.contentType).send(answer.body);
  });
}

/** Sanitizes what a caller shows as their number: carriers pass on any characters. */
function storableEvent(event: CarrierEvent): CarrierEvent {
  const fields = Object.entries(event);
  const texts = fields.map(([name, value]) => [
    name,
    typeof value === "string" ? storableText(value) : value,
  ]);
  return { ...event, ...Object.fromEntries(texts) };
}

async function connectionOf(connectionId: string, { carriers }: CarrierRoutesDeps): Promise<Connection> {
  const connection = await carriers.findById(connectionId);
  if (!connection) throw new AppError("not_found", "There is no such carrier account.");
  return connection;
}

/** Events of an account: inbound calls, and what becomes of them. */
async function followAccount(
  events: readonly CarrierEvent[],
  connection: Connection,
  deps: CarrierRoutesDeps,
): Promise<CarrierAnswer> {
  const { orgId, carrier } = connection;
  const inbound = events.find((event) => event.type === "inbound");
  if (inbound) return takeInboundCall(inbound, connection, deps);
  for (const event of events) {
    await explainRefusal(event, carrier, deps);
    const call = await findByCallSid(carrier.name, event.callSid, deps);
    if (call?.orgId === orgId) await deps.phoneCalls.happened(call.sessionId, event);
  }
  return carrier.acknowledge();
}

/** Telnyx and Vonage do not sign the address, so verify that the call is this account's. */
async function followCall(
  sessionId: string,
  events: readonly CarrierEvent[],
  { connection, deps }: { connection: Connection; deps: CarrierRoutesDeps },
): Promise<CarrierAnswer> {
  await legOf(sessionId, { connection, deps });
  const { carrier } = connection;
  let answer = carrier.acknowledge();
  for (const event of events) {
    await deps.phoneCalls.happened(sessionId, event);
    if (event.type === "asked") answer = event.answer;
    const awaitsMedia = "awaitsMedia" in event && event.awaitsMedia === true;
    if (awaitsMedia) answer = await answerWaiting({ sessionId, callSid: event.callSid }, connection, deps);
  }
  return answer;
}

/** Events of a transfer's second leg; the reply depends on the transfer's progress. */
async function followTarget(
  { sessionId, transferId }: { sessionId: string; transferId: string },
  events: readonly CarrierEvent[],
  { connection, deps }: { connection: Connection; deps: CarrierRoutesDeps },
): Promise<CarrierAnswer> {
  const leg = await legOf(sessionId, { connection, deps });
  const { carrier } = connection;
  let answer = carrier.acknowledge();
  for (const event of events)
    answer = await deps.phoneCalls.targetHappened(leg, { transferId, event, carrier });
  return answer;
}

/** Throws `AppError` not_found if the call is not this account's. */
async function legOf(
  sessionId: string,
  { connection: { orgId, carrier }, deps }: { connection: Connection; deps: CarrierRoutesDeps },
): Promise<PhoneLeg> {
  const leg = await findLeg(deps.database, sessionId);
  if (leg?.orgId === orgId && leg.carrier === carrier.name) return leg;
  throw new AppError("not_found", "This account has no such call.");
}

function asCarrierRequest({ method, url, headers, body }: FastifyRequest, baseUrl: string): CarrierRequest {
  return { method, url: baseUrl + url, headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}
