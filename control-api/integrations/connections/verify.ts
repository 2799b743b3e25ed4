import type { Verification } from "@parley/shared/contracts/integrations.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Account, Connector, Verified } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";
import { type Owned, openContext } from "../vendor/open-context.ts";
import { VendorError, type VendorProblem } from "../vendor/vendor.ts";
import type { RowChanges } from "./store.ts";

const VERIFY_MS = 12_000;

/** The vendor's verdict on an account. */
export interface Outcome {
  readonly verification: Verification;
  /** Undefined when the vendor refused. */
  readonly verified?: Verified;
  /** The reason of a refusal. */
  readonly problem?: VendorProblem;
}

/** Asks the vendor whether an account works. A refusal is an outcome, not an error. */
export async function verifyAccount(
  connector: Connector,
  account: Account,
  owned: Owned,
  deps: IntegrationParts,
): Promise<Outcome> {
  const stop = new AbortController();
  const run = { signal: stop.signal, deadlineMs: VERIFY_MS };
  try {
    const verified = await connector.verify(openContext(connector, account, { ...owned, ...run }, deps));
    return { verification: { ok: true, warnings: [...(verified.warnings ?? [])] }, verified };
  } catch (error) {
    if (!(error instanceof VendorError)) {
      deps.log.error(
        {
          event: "connection_verify_crashed",
          provider: connector.id,
          orgId: owned.orgId,
          err: messageOf(error),
        },
        "failed to verify a connection for a reason of our own",
      );
      throw error;
    }
    return { verification: { ok: false, error: error.message, warnings: [] }, problem: error.problem };
  } finally {
    stop.abort();
  }
}

/** The row changes of an outcome. */
export function changesBy(
  { verification, verified }: Outcome,
  { settings, facts }: Pick<Account, "settings" | "facts">,
  at: Date,
): Required<Pick<RowChanges, "status" | "last_error" | "warnings" | "verified_at">> &
  Pick<RowChanges, "settings" | "facts"> {
  const result = {
    status: verification.ok ? ("active" as const) : ("error" as const),
    last_error: verification.error ?? null,
    warnings: JSON.stringify(verification.warnings),
    verified_at: at,
  };
  if (!verified) return result;
  const { account } = verified;
  const after = account === undefined ? settings : { ...settings, account };
  return {
    ...result,
    ...differing("settings", settings, after),
    ...differing("facts", facts, verified.facts ?? facts),
  };
}

/** No change if equal, so that the row keeps its version. */
function differing(column: "settings" | "facts", before: object, after: object): RowChanges {
  const text = JSON.stringify(after);
  return text === JSON.stringify(before) ? {} : { [column]: text };
}
