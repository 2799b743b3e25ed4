import type { Databases } from "../database/open.ts";
import type { Module } from "../modules/module.ts";
import { type DemoFile, type SeedOptions, seedDemo } from "./seed.ts";
import { type TalkDeps, talkRoutes } from "./talk-routes.ts";

export interface DemoDeps extends Omit<TalkDeps, "demo" | "database"> {
  readonly config: { readonly storage: { readonly dataDir: string } };
  readonly database: Databases;
  /** Connects the built-in shop that the demo's agent looks orders up in. */
  readonly connectDemoShop: SeedOptions["connectDemoShop"];
  /** As people reach this API. */
  readonly baseUrl: () => string;
  /** Where the demo's calls and its agent's brain are; undefined: there is no demo here. */
  readonly demo?: { readonly gatewayUrl: string; readonly brainUrl: string } | undefined;
}

/** The workspace to try things with, and the sessions of the page to talk on. */
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
