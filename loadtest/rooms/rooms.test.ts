// Real time: callers speak in noisy rooms, and when they are answered is measured.
import { describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { CASES } from "./cases.ts";
import { readOptions } from "./options.ts";
import type { RoomFigures } from "./report/figures.ts";
import { runCases } from "./run-cases.ts";
import { findVoices } from "./sounds/voices.ts";

/** However slow the machine is: what is asserted is that answers come, not when. */
const PATIENCE_MS = 60_000;

async function hold(...ids: string[]): Promise<Map<string, RoomFigures>> {
  const { voices } = await findVoices();
  const cases = CASES.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, calls: 1, turns: 2 }));
  const figures = new Map<string, RoomFigures>();
  await runCases(cases, {
    voices,
    sideBySide: cases.length,
    patienceMs: PATIENCE_MS,
    onCase: ({ id }, done) => figures.set(id, done),
    onLag: () => undefined,
  });
  return figures;
}

describe("npm run rooms", () => {
  it.runIf(needs("espeak") && needs("redis"))(
    "answers callers in a quiet room, beside a door that slams, and beside somebody who types, and asks the brain once",
    async () => {
      const figures = await hold("quiet", "door-10", "keyboard-10");
      expect([...figures.keys()].sort()).toEqual(["door-10", "keyboard-10", "quiet"]);
      for (const [id, row] of figures) {
        expect(row, id).toMatchObject({ asked: 2, answered: 2, askedTwice: 0, ghosts: 0 });
      }
    },
    180_000,
  );

  it("chooses rows by their room and level, and says so when there is none", () => {
    const chosen = readOptions(["--room", "babble", "--level", "-15", "--turns", "3"]);
    expect("cases" in chosen && chosen.cases).toMatchObject([{ id: "babble-15", turns: 3 }]);
    expect(readOptions(["--room", "cellar"])).toEqual({ problem: "no row is like that; --list names them" });
    expect(readOptions(["--calls", "none"])).toMatchObject({ problem: expect.stringContaining("--calls") });
  });
});
