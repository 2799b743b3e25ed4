import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{shared,media,gateway,control-api,dashboard,platform,loadtest,examples,scripts,tests}/**/*.test.{ts,tsx}",
    ],
    globalSetup: "tests/support/database-snapshot.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 40_000,
    retry: 0,
  },
});
