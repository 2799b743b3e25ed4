import { AppError } from "@parley/shared/errors.ts";
import type { MemberPrincipal } from "../../http/access/principal.ts";

const RETRY_AFTER_SECS = 15;

/** How many streams this process holds at once. */
export interface StreamBounds {
  readonly perMember: number;
  readonly perOrg: number;
}

type Whose = Pick<MemberPrincipal, "orgId" | "userId">;

/** The streams that this process holds, bounded by member and by organization. */
export class OpenStreams<T> {
  readonly #bounds: StreamBounds;
  readonly #open = new Map<T, Whose>();

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds;
  }

  /** Throws `AppError` too_many_requests where the member or the organization has as many as it may have. */
  assertRoom({ orgId, userId }: Whose): void {
    const ofOrg = [...this.#open.values()].filter((other) => other.orgId === orgId);
    const ofMember = ofOrg.filter((other) => other.userId === userId);
    const { perMember, perOrg } = this.#bounds;
    if (ofMember.length >= perMember)
      throw tooMany(`You have ${perMember} streams of apps open, which is the most; close some pages.`);
    if (ofOrg.length >= perOrg)
      throw tooMany(`Your organization has ${perOrg} streams of apps open, which is the most.`);
  }

  add(stream: T, { orgId, userId }: Whose): void {
    this.#open.set(stream, { orgId, userId });
  }

  delete(stream: T): void {
    this.#open.delete(stream);
  }

  all(): T[] {
    return [...this.#open.keys()];
  }
}

function tooMany(message: string): AppError {
  return new AppError("too_many_requests", message, { retryAfterSecs: RETRY_AFTER_SECS });
}
