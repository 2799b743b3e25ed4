import type { Clock } from "@parley/shared/clock.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import { toolTryResponseSchema, tryToolSchema } from "@parley/shared/contracts/tool-tries.ts";
import type { BusToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { TOOLS_TRY } from "../../http/access/rules.ts";
import { goneSignal } from "../../http/gone-signal.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { executorOf, type ToolExecutor, type ToolExecutors } from "../../tools/executor.ts";
import { type TryDeps, tryTool } from "../../tools/runner.ts";

export interface ToolTryDeps extends Omit<TryDeps, "executors"> {
  readonly toolExecutors: ToolExecutors;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly audit: Audit;
}

/** `/api/orgs/{orgId}/tools/try`, for everyone who may change agents. */
export function toolTryRoutes(app: Api, { toolExecutors: executors, ...deps }: ToolTryDeps): void {
  app.post(
    "/api/orgs/:orgId/tools/try",
    {
      config: { access: TOOLS_TRY },
      schema: {
        tags: ["agents"],
        security: USER_SECURITY,
        summary: "Run a tool of an agent once, for real, and see what the model would be given",
        params: orgParamsSchema,
        body: tryToolSchema,
        response: responses(200, toolTryResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId, userId } = memberOf(request);
      const { tool, arguments: given } = request.body;
      await deps.limits.take("tool_tries_per_user", userId);
      await assertWorks(tool, orgId, executors);
      const signal = goneSignal(reply);
      const startMs = deps.clock.monotonicMs();
      const outcome = await tryTool(
        tool,
        { orgId, tryId: newId("req"), arguments: given, signal },
        { ...deps, executors },
      );
      const tookMs = Math.round(deps.clock.monotonicMs() - startMs);
      await deps.audit.write({
        action: "tool.tried",
        orgId,
        userId,
        client: clientOf(request),
        details: { kind: tool.kind, tool: tool.name, status: outcome.status },
      });
      reply.header("cache-control", "no-store");
      return success({ ...outcome, tookMs });
    },
  );
}

/** Throws `AppError` validation_failed, naming each fault in the tool's settings. */
async function assertWorks(tool: BusToolSettings, orgId: string, executors: ToolExecutors): Promise<void> {
  const executor: ToolExecutor | undefined = executorOf(executors, tool);
  if (!executor) throw new AppError("bad_request", `Tools of the kind ${tool.kind} cannot be run here.`);
  const faults = await executor.faults(tool, orgId);
  if (faults.length === 0) return;
  throw invalidInput(
    "body",
    faults.map(({ field, text }) => ({ field: `tool.${field}`, text })),
  );
}
