import { messageOf } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Databases } from "../database/open.ts";
import { every, type JobHandler } from "../jobs/job-kind.ts";
import type { EventFeed } from "./event-feed.ts";
import { Follower, type FollowerDeps } from "./follower.ts";
import { retries } from "./retries.ts";
import { deletePassed, ensureCursors, readLags } from "./store.ts";
import type { Subscription } from "./subscription.ts";

/** The safety net: the recording process finds new events at once. */
const POLL_MS = 5_000;
const TIDY_EVERY_MS = 10 * 60_000;

export interface SubscriptionsDeps extends Omit<FollowerDeps, "database" | "metrics" | "recent"> {
  readonly database: Databases;
  readonly metrics: Pick<Metrics, "subscriptionEventsTotal" | "subscriptionLag">;
  readonly feed: EventFeed;
  /** Of all districts; read when the first one starts. */
  readonly subscriptions: () => readonly Subscription[];
}

/** Delivers recorded events to districts by cursors that any process may advance (docs/decisions/subscriptions.md). */
export function openSubscriptions(deps: SubscriptionsDeps) {
  const { clock, log, metrics, feed } = deps;
  const { background: database } = deps.database;
  let followers: readonly Follower[] = [];
  let stopPolling: () => void = () => undefined;
  const poll = async (): Promise<void> => {
    feed.recent.clear();
    try {
      const lags = await readLags(database);
      for (const follower of followers) {
        const lag = lags.get(follower.name) ?? 0;
        metrics.subscriptionLag.set({ subscription: follower.name }, lag);
        if (lag > 0) follower.wake();
      }
    } catch (error) {
      log.warn(
        { event: "subscriptions_not_measured", err: messageOf(error) },
        "failed to look for events that subscriptions have not handled",
      );
    }
  };
  return {
    name: "subscriptions",
    get jobs(): readonly JobHandler[] {
      const tidy = every(TIDY_EVERY_MS, "delete_passed_events", () => deletePassed(database));
      return [tidy, ...deps.subscriptions().map(retries)];
    },
    start: async (): Promise<void> => {
      followers = deps
        .subscriptions()
        .map((subscription) => new Follower(subscription, { ...deps, database, recent: feed.recent }));
      await ensureCursors(
        database,
        followers.map(({ name }) => name),
      );
      feed.onAppended((types) => {
        for (const follower of followers) if (follower.wants(types)) follower.wake();
      });
      for (const follower of followers) follower.wake();
      stopPolling = clock.every(POLL_MS, () => void poll());
    },
    stop: async (): Promise<void> => {
      stopPolling();
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}
