import type { Databases } from "../database/open.ts";
import type { Module } from "../modules/module.ts";
import { type DemoFile, type SeedOptions, seedDemo } from "./seed.ts";
import { type TalkDeps, talkRoutes } from "./talk-routes.ts";

export interface DemoDeps extends Omit<TalkDeps, "demo" | "database"> {
  readonly config: { readonly storage: { readonly dataDir: string } };
  readonly database: Databases;
  /** Connects the built-in shop where the demo's agent looks orders up. */
  readonly connectDemoShop: SeedOptions["connectDemoShop"];
  /** The base URL of this API as people reach it. */
  readonly baseUrl: () => string;
  /** The gateway and brain of the demo; undefined: no demo here. */
  readonly demo?: { readonly gatewayUrl: string; readonly brainUrl: string } | undefined;
}

/** The demo workspace, and sessions for its talk page. */
export function openDemo(deps: DemoDeps): Module {
  const { database, clock, config, baseUrl, connectDemoShop, demo: addresses } = deps;
  let demo: (DemoFile & { userId: string }) | undefined;
  return {
    name: "demo",
    routes: (app) => talkRoutes(app, { ...deps, demo: () => demo }),
    start: async () => {
      if (!addresses) return;
      const { dataDir } = config.storage;
      const seeded = { database, clock, dataDir, baseUrl: baseUrl(), connectDemoShop, ...addresses };
      demo = await seedDemo(seeded);
    },
  };
}
