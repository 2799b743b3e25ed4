import { type AnyPlan, anyPlanSchema } from "../contracts/call-plan.ts";
import { AppError } from "../errors.ts";
import { SecretBox } from "./secret-box.ts";

/**
 * Seals call plans for their way over the bus: an agent's secrets and what is known of its callers are for gateways,
 * not for anyone who can read Redis. The sealed text opens for its session only.
 */
export class PlanBox {
  readonly #box: SecretBox;

  /** `planKey` has the format of PLAN_KEY. Throws `AppError` bad_request when it is invalid. */
  constructor(planKey: string) {
    this.#box = new SecretBox(planKey);
  }

  seal(plan: AnyPlan): string {
    return this.#box.seal(JSON.stringify(plan), contextOf(plan.sessionId));
  }

  /** Throws `AppError` internal when the text was sealed with another key or for another session. */
  open(sealed: string, sessionId: string): AnyPlan {
    return anyPlanSchema.parse(JSON.parse(this.#unseal(sealed, sessionId)));
  }

  #unseal(sealed: string, sessionId: string): string {
    // Control APIs of version 0.1.0 leave plans unsealed; gateways are restarted before them.
    if (sealed.startsWith("{")) return sealed;
    try {
      return this.#box.open(sealed, contextOf(sessionId));
    } catch (cause) {
      const message = "The plan of this call was sealed with another PLAN_KEY than this gateway has.";
      throw new AppError("internal", message, { cause });
    }
  }
}

const contextOf = (sessionId: string): string => `plan:${sessionId}`;
