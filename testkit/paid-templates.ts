import { FakeGraphApi } from "./fakes/messaging/graph-api.ts";
import { graphEnv } from "./messaging.ts";
import { TestWebhooks } from "./webhooks.ts";

/** A cent, in millionths of a dollar. */
export const CENT = 10_000n;
export const TEMPLATE = { name: "reminder", language: "en" };

export interface PaidTemplates {
  readonly graph: FakeGraphApi;
  readonly webhooks: TestWebhooks;
  close(): Promise<void>;
}

/** A control API whose WhatsApp templates cost 10 cents each, with `TEMPLATE` approved; both tell the same time. */
export async function startPaidTemplates(env: Record<string, string>): Promise<PaidTemplates> {
  const graph = await FakeGraphApi.start();
  const webhooks = await TestWebhooks.start({ env: { ...graphEnv(graph), ...env } });
  graph.nowMs = () => webhooks.clock.wallMs();
  graph.templates.set(TEMPLATE.name, { ...TEMPLATE, status: "APPROVED", category: "UTILITY" });
  const at = "2026-01-01T00:00:00Z";
  const about = { org_id: "", metric: "messages", per: 1n, from_at: at, created_at: at };
  await webhooks.api.database.db
    .insertInto("prices")
    .values({ ...about, id: "prc_template", vendor: "whatsapp-template", micros: 10n * CENT })
    .execute();
  const close = async (): Promise<void> => {
    await webhooks.close();
    graph.close();
  };
  return { graph, webhooks, close };
}
