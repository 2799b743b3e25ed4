import { systemClock } from "@parley/shared/clock.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eraseContent } from "../../testkit/erase-content.ts";
import { raceBehind } from "../../testkit/lock-race.ts";
import { migratedPostgres } from "../../testkit/migrated-postgres.ts";
import { needs } from "../../testkit/needs.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { QueueOfWebhooks } from "../../testkit/webhook-queue.ts";
import type { Databases } from "../database/open.ts";
import { insertEndedCall } from "../records/call-rows/insert-call.ts";
import { lockCall } from "../records/recordings/content-store.ts";
import { callWebhooks } from "./call-webhooks.ts";

describe.runIf(needs("postgres"))(
  "what was said in a call that is erased while webhooks are raised for it",
  () => {
    let database: Databases;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ database, close } = await migratedPostgres());
    });
    afterAll(() => close());

    const { handle } = callWebhooks({
      announce: () => undefined,
      clock: systemClock,
      recordingLinks: { link: () => "" } as never,
    });

    it.each(["erased", "raised"])("is in no delivery, also where it is %s first", async (first) => {
      const organization = await createOrganization(database);
      const { orgId } = organization;
      const [sessionId, at] = [newId("ses"), new Date()];
      await new QueueOfWebhooks(database, organization).addEndpoints(1);
      const absent = {
        agent_version: null,
        identifier: null,
        from_number: null,
        to_number: null,
        carrier: null,
      };
      await insertEndedCall(
        database.db,
        {
          ...{ id: newId("cal"), session_id: sessionId, org_id: orgId, agent_id: organization.agentId },
          ...{ user_id: organization.userId, variables: "{}", node_id: "nod_1", channel: "web_chat" },
          ...{ direction: "web", created_at: at, ...absent },
        },
        { ...endFor("in-progress", "hangup"), startedAt: at, endedAt: at },
      );
      const said = { type: "call.message", turn: 1, role: "user", text: "xylophone" } as const;
      const event = { id: newId("evt"), seq: 1, sessionId, orgId, at: at.toISOString(), ...said };
      const told = { ...event, interrupted: false, source: "speech" } as const;
      const raise = () =>
        database.db.transaction().execute((trx) => handle(trx, [{ event: told, recordedAt: new Date() }]));
      const erase = () =>
        database.db.transaction().execute(async (trx) => {
          await lockCall(trx, orgId, sessionId);
          await eraseContent(trx, { sessionIds: [sessionId], at });
        });
      const failed = await raceBehind(
        database,
        (trx) => lockCall(trx, orgId, sessionId),
        first === "erased" ? [erase, raise] : [raise, erase],
      );
      expect(failed).toEqual([]);
      const deliveries = database.db.selectFrom("webhook_deliveries").select("body");
      expect(await deliveries.where("session_id", "=", sessionId).execute()).toEqual([]);
    });
  },
);
