import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { missedBy } from "./changes.ts";
import { fingerprintOf, ordered } from "./fingerprint.ts";
import { lastOwnReport } from "./store.ts";

type Json = Readonly<Record<string, unknown>>;

export interface GatedChange {
  readonly orgId: string;
  readonly agentId: string;
  readonly before: Json;
  readonly after: Json;
  readonly role: Role;
  /** Whoever makes the change may read reports; keys and apps are told no words of one. */
  readonly readsReports: boolean;
  /** The change asks to skip the gate. */
  readonly unrehearsed: boolean;
}

/**
 * Asserts that a change to an agent that must be rehearsed may be applied. Throws `AppError` not_rehearsed, naming the
 * scenario and the sentence in the way, and forbidden for anyone who may not skip the gate.
 */
export async function assertRehearsed(trx: Kysely<Tables>, change: GatedChange): Promise<void> {
  const { orgId, agentId, before, after, role, readsReports, unrehearsed } = change;
  const [earlier, later] = [before, after].map((one) => agentConfigSchema.parse(one).rehearsals);
  const [was, is] = [earlier?.required, later?.required];
  const mayPass = role === "owner" || role === "admin";
  if (was && !is && !mayPass) {
    throw new AppError("forbidden", "Only owners and admins can save an agent without its rehearsals.");
  }
  const kept = new Set(later?.scenarios.map(ordered));
  const missing = earlier?.scenarios.find((scenario) => !kept.has(ordered(scenario)));
  if (was && !mayPass && missing) {
    const message = `Only owners and admins can change or remove what an agent is rehearsed by ("${missing.name}").`;
    throw new AppError("forbidden", message);
  }
  const fingerprint = fingerprintOf(after);
  if (!(was || is) || fingerprint === fingerprintOf(before)) return;
  if (unrehearsed) {
    if (mayPass) return;
    throw new AppError("forbidden", "Only owners and admins can apply a change that was not rehearsed.");
  }
  const report = await lastOwnReport(trx, { orgId, agentId }, fingerprint);
  if (!report) {
    throw new AppError(
      "not_rehearsed",
      "Nothing was saved. The agent's rehearsals must pass first, and they have not been run with this change.",
    );
  }
  const failed = report.rehearsals.filter(({ passed }) => !passed);
  const [first] = failed;
  if (!first) return;
  const others = failed.length > 1 ? ` ${failed.length - 1} more failed.` : "";
  const message = `Nothing was saved: with this change the rehearsal "${first.name}" failed. ${readsReports ? missedBy(first) : "Its report says why, to people."}${others}`;
  const details = { reportId: report.reportId, failed: failed.map(({ name }) => name) };
  throw new AppError("not_rehearsed", message, { details });
}
