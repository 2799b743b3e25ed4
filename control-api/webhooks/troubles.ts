import type { Clock } from "@parley/shared/clock.ts";
import { stateOf } from "@parley/shared/contracts/endpoint-state.ts";
import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import type { Reads } from "../http/reads.ts";
import type { Trouble } from "../modules/module.ts";
import { listEndpoints } from "./endpoint-store.ts";
import { healthWindow } from "./health-routes.ts";
import { readHealth } from "./health-store.ts";

/** Endpoints that are disabled, or whose deliveries fail. */
export function webhookTroubles({ reads, clock }: { readonly reads: Reads; readonly clock: Clock }): Trouble {
  return async (member) => {
    const { orgId } = member;
    const endpoints = await listEndpoints(reads.database, orgId);
    if (endpoints.length === 0) return [];
    const window = healthWindow("day", clock.wallMs());
    const days = await reads.run(member, (ofReads) => readHealth(ofReads, orgId, window));
    return endpoints.flatMap((endpoint): OrgNotice[] => {
      const { id, url } = endpoint;
      const day = days.find((each) => each.id === id);
      const state = stateOf(endpoint, day);
      if (state.kind === "disabled") return [{ kind: "webhook_disabled", id, url, reason: state.reason }];
      if (state.kind !== "failing") return [];
      return [{ kind: "webhook_failing", id, url, missed: state.missed, tried: state.tried }];
    });
  };
}
