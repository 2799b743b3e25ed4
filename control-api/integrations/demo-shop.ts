import { AppError } from "@parley/shared/errors.ts";
import { createConnection } from "./connections/create.ts";
import { connector } from "./connectors/demo-shop/definition.ts";
import type { IntegrationParts } from "./deps.ts";

/** Connects the built-in shop for an organization as its owner, unless it is already connected. */
export async function connectDemoShop(
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  parts: IntegrationParts,
): Promise<void> {
  const body = { providerId: connector.id, credentials: {}, settings: {}, verify: true };
  const actor = { orgId, kind: "user", id: userId, client: { ip: "", userAgent: "" } } as const;
  try {
    await createConnection(body, actor, parts, async () => undefined);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}
