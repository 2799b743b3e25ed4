import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Speech as it is spoken: half a processor each, and two at a time. They run when all others are through, for a third would make the
 * recognizer, or the page, too late for what a person would say next. Each says why in its first line.
 */
export const SPOKEN = [
  "control-api/**/manual-calls.test.ts",
  "dashboard/talk.test.ts",
  "gateway/tests/{carrier-media,front-end}.test.ts",
  "tests/{talk-page,first-visits,softphone-page,softphone-incoming,spoken-call,spoken-flow,spoken-rehearsals,spoken-softphone}.test.ts",
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
  "platform/host/frame-bridge.test.ts",
  "tests/{brain-secret,drills/**/*}.test.ts",
];

/** All others. Their files share a process, one after the other: what they import is loaded, and compiled, once. */
export const ROOMS =
  "{shared,media,gateway,control-api,dashboard,platform,loadtest,examples,scripts,testkit,tests}/**/*.test.{ts,tsx}";

/**
 * Who runs longest. They are first, so that none of them is alone at the end; in this order, in which one that waits is beside one
 * that works. Vitest would know it only of files that have run in this folder before, and goes by their size elsewhere.
 */
export const LONGEST = [
  "tests/dashboard-agents.test.ts",
  "control-api/channels/carriers/transfers/joined.test.ts",
  "tests/dashboard-live.test.ts",
  "control-api/channels/carriers/machine/machine-watch.test.ts",
  "tests/dashboard-numbers.test.ts",
  "control-api/channels/carriers/machine/voicemail-policy.test.ts",
  "tests/dashboard.test.ts",
  "gateway/tests/live-call.test.ts",
  "tests/dashboard-tracks.test.ts",
  "tests/carrier-failures.test.ts",
  "tests/security/input.test.ts",
  "tests/readme-commands.test.ts",
  "tests/dashboard-calls.test.ts",
  "tests/dashboard-webhooks.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? LONGEST.length : at;
    };
    // Whoever shares a process is apart from the others already, and stays so.
    const of = (name: string): TestSpecification[] => sorted.filter(({ project }) => project.name === name);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => of(name).toSorted((a, b) => rank(a) - rank(b)));
  }
}

/**
 * One more than there are processors: now and then one waits, for speech, a receiver's time limit or a phone that rings.
 * With four, some ten processes wanted two processors that were never idle (docs/testing.md#work-or-waiting).
 */
const WORKERS = 3;

export default defineConfig({
  test: {
    globalSetup: ["testkit/database-snapshot.ts", "testkit/test-databases.ts"],
    pool: "forks",
    // Guards against what never happens, far beyond what a busy machine takes: no test is about the machine's speed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 90_000 } },
    retry: 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "own process",
          include: OWN_PROCESS,
          globalSetup: ["testkit/built-servers.ts"],
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
