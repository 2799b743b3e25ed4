import type { FastifyRequest } from "fastify";

const MAX_USER_AGENT_CHARS = 256;

/** Where a request comes from. */
export interface Client {
  readonly ip: string;
  readonly userAgent: string;
}

/** A request's origin, as sign-ins and the audit log keep it. */
export function clientOf(request: FastifyRequest): Client {
  return { ip: request.ip, userAgent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_CHARS) };
}
