import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../open.ts";
import { lockDirectory } from "./directory-lock.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-pglite-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the embedded database", () => {
  it("never holds up the loop that paces audio", async () => {
    const database = await openDatabase({});
    await database.ping();
    let turns = 0;
    const loop = setInterval(() => turns++, 1);
    await sql`select sum(n) from generate_series(1, 3000000) as n`.execute(database.db);
    clearInterval(loop);
    expect(turns).toBeGreaterThan(5);
    await database.close();
  });

  it("keeps what was committed when its process is killed, and lets the next one in", async () => {
    const dataDir = join(folder, "killed");
    const kysely = pathToFileURL(createRequire(import.meta.url).resolve("kysely")).href;
    const program = `
      import { openDatabase } from ${JSON.stringify(new URL("../open.ts", import.meta.url).href)};
      import { sql } from ${JSON.stringify(kysely)};
      const { db } = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} });
      await sql\`create table kept (id int)\`.execute(db);
      await sql\`insert into kept values (7)\`.execute(db);
      console.log("written");`;
    const file = join(folder, "writer.mjs");
    await writeFile(file, program);
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(child, "exit");
    await once(child.stdout, "data");

    const second = await openDatabase({ dataDir });
    await expect(second.ping()).rejects.toThrow(`in use by process ${child.pid}`);
    await second.close();

    child.kill("SIGKILL");
    await exited;
    const next = await openDatabase({ dataDir });
    const { rows } = await sql`select id from kept`.execute(next.db);
    expect(rows).toEqual([{ id: 7 }]);
    await next.close();
    // Nothing is left but the database and the number of its last lock, which nobody holds.
    expect(await readdir(dataDir)).toEqual(["postgres", "postgres.lock.2"]);
    expect(await readFile(join(dataDir, "postgres.lock.2"), "utf8")).toBe("");
  });

  it("refuses more borrowers than it could ever serve instead of letting them pile up", async () => {
    const database = await openDatabase({});
    await database.ping();
    const asked = await Promise.allSettled(Array.from({ length: 1_100 }, () => database.ping()));
    const refused = asked.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(99);
    expect(refused[0]?.reason).toMatchObject({ code: "unavailable" });
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
  });
});

describe("the lock of a directory", () => {
  it("is one process's at a time, the very same process included", async () => {
    const directory = join(folder, "one");
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)));
    const won = tried.filter((result) => result.status === "fulfilled");
    expect(won).toHaveLength(1);
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "conflict" });
    await won[0]?.value();
    const unlock = await lockDirectory(directory);
    await unlock();
  });

  it.each([
    ["a process that is dead", "4194304 123"],
    ["another process that got the dead one's number", `${process.pid} 1`],
    ["nobody, after a crash in the middle of writing", ""],
  ])("is taken from %s", async (_whose, text) => {
    const directory = join(folder, "stale");
    await writeFile(`${directory}.lock`, text);
    const unlock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid}`);
    await unlock();
  });

  it("of a dead process is taken by one of many who race for it", async () => {
    for (let round = 0; round < 40; round++) {
      const directory = join(folder, `race-${round}`);
      await writeFile(`${directory}.lock`, "4194304 123");
      const tried = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });

  it("is never two processes' while many take it and give it back", async () => {
    const directory = join(folder, "busy");
    await writeFile(`${directory}.lock`, "4194304 123");
    let holders = 0;
    let turns = 0;
    const takeTurns = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn++) {
        const unlock = await lockDirectory(directory).catch(() => undefined);
        if (!unlock) continue;
        holders += 1;
        turns += 1;
        expect(holders).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        holders -= 1;
        await unlock();
      }
    };
    await Promise.all(Array.from({ length: 8 }, takeTurns));
    expect(turns).toBeGreaterThan(0);
  });
});
