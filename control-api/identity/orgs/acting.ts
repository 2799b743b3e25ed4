import type { FastifyRequest } from "fastify";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import type { By } from "./members.ts";

/** Who acts in an organization, and from where. */
export function byOf(request: FastifyRequest): By {
  return { actor: memberOf(request), client: clientOf(request) };
}
