import { expect, it } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import type { Session } from "../../api/session.ts";
import type { FrameToken } from "./frame-token.ts";
import { sendCall } from "./send-call.ts";

it.each([
  [400, "invalid_arguments"],
  [403, "role_forbidden"],
  [404, "app_gone"],
  [413, "too_large"],
  [429, "rate_limited"],
  [500, "internal"],
])("tells an app of a refusal with status %i as %s", async (status, code) => {
  const refuse = async (): Promise<never> => {
    throw new ApiError(status, { error: "Refused." });
  };
  const session: Pick<Session, "open"> = { open: refuse };
  const token: Pick<FrameToken, "get"> = { get: async () => "a token" };
  const parts = { session, token, orgId: "org_1" };
  await expect(sendCall("/bridge", parts, { body: {} })).rejects.toMatchObject({ code, message: "Refused." });
});
