import { defineConfig } from "vitest/config";

/**
 * Speech as it is spoken: half a processor each, and two at a time. They run when all others are through, for a third would make the
 * recognizer, or the page, too late for what a person would say next. Each says why in its first line.
 */
export const SPOKEN = [
  "control-api/**/manual-calls.test.ts",
  "dashboard/talk.test.ts",
  "gateway/tests/carrier-media.test.ts",
  "tests/{talk-page,softphone-page,softphone-incoming,spoken-call,spoken-softphone}.test.ts",
  "tests/{spoken-voicemail,loopback-numbers}.test.ts",
];

/** What is measured, or takes both processors: one at a time, at the end. Each says why in its first line. */
export const MEASURED = [
  "tests/security/{login-storm,timing}.test.ts",
  "media/flite/speak.test.ts",
  "loadtest/run/load.test.ts",
  "loadtest/rooms/rooms.test.ts",
  "tests/{softphone-clicks,loopback-many}.test.ts",
];

const REAL_TIME = [...SPOKEN, ...MEASURED];

/**
 * Files that change what a process has only once (its environment, its output, its timers), and drills, which kill processes: each has a
 * process of its own. `tests/house/test-files.test.ts` names who belongs here.
 */
export const OWN_PROCESS = [
  "dashboard/**/recognition.test.ts",
  "shared/net/{guarded-dispatcher,guarded-dispatchers}.test.ts",
  "gateway/tests/{call-logs,media-attacks}.test.ts",
  "control-api/**/{failing-voice,rebinding,send}.test.ts",
  "tests/{brain-secret,drills/**/*}.test.ts",
];

/** All others. Their files share a process, one after the other: what they import is loaded, and compiled, once. */
export const ROOMS =
  "{shared,media,gateway,control-api,dashboard,platform,loadtest,examples,scripts,testkit,tests}/**/*.test.{ts,tsx}";

/** One more than there are processors: some always wait, for a receiver's time limit or for a phone that rings. */
const WORKERS = 3;

export default defineConfig({
  test: {
    globalSetup: "testkit/database-snapshot.ts",
    pool: "forks",
    // Guards against what never happens, far beyond what a busy machine takes: no test is about the machine's speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: "own process",
          include: OWN_PROCESS,
          exclude: ["**/node_modules/**", ...REAL_TIME],
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "shared process",
          include: [ROOMS],
          exclude: ["**/node_modules/**", ...REAL_TIME, ...OWN_PROCESS],
          maxWorkers: WORKERS,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "spoken", include: SPOKEN, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: "measured", include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
