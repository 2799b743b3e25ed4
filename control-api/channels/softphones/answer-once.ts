import type { DeviceSession } from "@parley/shared/contracts/softphones.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { once } from "../../http/idempotency/once.ts";
import { attach } from "./attach.ts";
import { answer, type IncomingCallsDeps } from "./incoming-calls.ts";

const ANSWER = "/api/sessions/{id}/answer";
/** Covers two rows and one gateway command; a retry must not wait for a dead process while the call rings. */
const LOCK_MS = 10_000;

/**
 * Answers a call once per `Idempotency-Key`: a device that retries after a lost response gets a fresh address; other
 * devices get a conflict. Throws `AppError` bad_request (the key was used for another call), and what `answer` and
 * `attach` throw.
 */
export async function answerOnce(
  { sessionId, key }: { readonly sessionId: string; readonly key: string | undefined },
  caller: Caller,
  deps: IncomingCallsDeps,
): Promise<{ result: DeviceSession; isReplayed: boolean }> {
  const reopen = () => attach(sessionId, caller, deps);
  const { result, isReplayed } = await once(
    {
      principal: `${caller.orgId}:${caller.userId}`,
      route: ANSWER,
      key,
      body: { sessionId },
      lockMs: LOCK_MS,
    },
    {
      work: (intend) => answer(sessionId, caller, { ...deps, onTaken: intend }),
      recover: reopen,
      // The call then rings again, for the next device to answer.
      spentNothing: () => true,
    },
    deps,
  );
  // Its ticket expires after a minute.
  return { result: isReplayed ? await reopen() : result, isReplayed };
}
