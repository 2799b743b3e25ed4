import { defineConfig } from "vitest/config";

/**
 * Speech in real time, and what is measured: a neighbour that takes the second core makes the recogniser, or the page, too late for what a
 * person would say next. These run one after the other when all others are through.
 */
const REAL_TIME = [
  "control-api/attacks/{login-storm,timing}.test.ts",
  "dashboard/talk.test.ts",
  "media/flite/speak.test.ts",
  "loadtest/run/load.test.ts",
  "loadtest/rooms/rooms.test.ts",
  "tests/{talk-page,softphone-page,softphone-incoming,softphone-clicks,spoken-call,spoken-softphone,loopback-many}.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: "tests/support/database-snapshot.ts",
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 40_000,
    // As long as the machine takes; what comes at all comes long before.
    expect: { poll: { timeout: 15_000 } },
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: "side by side",
          include: [
            "{shared,media,gateway,control-api,dashboard,platform,loadtest,examples,scripts,tests}/**/*.test.{ts,tsx}",
          ],
          exclude: ["**/node_modules/**", ...REAL_TIME],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "real time", include: REAL_TIME, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
