import { spawnSync } from "node:child_process";
import { watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { flite } from "../../testkit/speech.ts";
import { createCommandStt } from "./command.ts";
import { splitCommandLine } from "./command-line.ts";
import { describeSttContract, SttProbe } from "./stt.contract.ts";

const speech = new Int16Array(16_000).fill(1_000);

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "parley-command-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function script(source: string): Promise<string> {
  const path = join(await directory(), "recognizer.sh");
  await writeFile(path, source);
  return `sh ${path}`;
}

/** Resolves with the file's content once somebody has written it. */
async function written(path: string): Promise<string> {
  const isThere = async (): Promise<string> => readFile(path, "utf8").catch(() => "");
  const watcher = watch(join(path, ".."));
  try {
    for (;;) {
      const changed = new Promise((resolve) => watcher.once("change", resolve));
      const content = await isThere();
      if (content.endsWith("\n")) return content.trim();
      await changed;
    }
  } finally {
    watcher.close();
  }
}

function hearing(commandLine: string, options: { timeoutMs?: number; concurrency?: number } = {}): SttProbe {
  const probe = new SttProbe(createCommandStt({ commandLine, ...options }));
  probe.hear(speech);
  probe.session.finalize();
  return probe;
}

/** A zombie whose parent does not fetch it is dead enough. */
function isRunning(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

describeSttContract("command", async () => ({
  speech,
  text: "it was 44800 bytes",
  vendor: () => createCommandStt({ commandLine: `sh -c 'echo "it was $(wc -c) bytes"'` }),
  close: async () => undefined,
}));

describe("the command recognizer", () => {
  it("hands the utterance over as a WAV file and removes it", async () => {
    const place = await directory();
    const seen = join(place, "seen");
    const probe = hearing(`sh -c 'head -c 4 "$0"; echo " $0" | tee ${seen}' {wav}`);
    await probe.until(() => probe.answers === 1);
    const path = (await written(seen)).trim();
    expect(probe.finals).toEqual([`RIFF ${path}`]);
    expect(path).toMatch(/\.wav$/);
    expect(await readdir(join(path, "..")).catch(() => "gone")).toBe("gone");
  });

  it("lets no shell read the command line", async () => {
    const probe = hearing(`echo $HOME ";" 'two words' a\\ b "\\"quoted\\"" *`);
    await probe.until(() => probe.answers === 1);
    expect(probe.finals).toEqual([`$HOME ; two words a b "quoted" *`]);
  });

  it("kills the program and what it started when time is up", async () => {
    const pids = join(await directory(), "pids");
    const probe = hearing(await script(`sleep 600 & echo $$ $! > ${pids}; wait`), { timeoutMs: 300 });
    await probe.until(() => probe.failures.length > 0);
    expect(probe.failures).toMatchObject([{ retryable: true, message: "command: no text within 300 ms" }]);
    const [parent, child] = (await written(pids)).split(" ").map(Number);
    expect(isRunning(parent!)).toBe(false);
    await expect.poll(() => isRunning(child!)).toBe(false);
  });

  it("kills the program when the call ends, and what waits does not begin", async () => {
    const pids = join(await directory(), "pids");
    const vendor = createCommandStt({
      commandLine: await script(`echo $$ >> ${pids}; exec sleep 600`),
      concurrency: 1,
    });
    const [first, second] = [new SttProbe(vendor), new SttProbe(vendor)];
    for (const probe of [first, second]) {
      probe.hear(speech);
      probe.session.finalize();
    }
    const pid = Number(await written(pids));
    second.session.close();
    first.session.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect([...first.events, ...second.events]).toEqual([]);
    expect((await readFile(pids, "utf8")).trim()).toBe(String(pid));
  });

  it("gives up a program that was killed, that fails, or that is not there", async () => {
    for (const [commandLine, why, retryable] of [
      [`sh -c 'kill -9 $$'`, "the program ended with SIGKILL", true],
      [`sh -c 'exit 3'`, "the program ended with 3", true],
      ["no-such-recognizer {wav}", "the program cannot be run (ENOENT)", false],
    ] as const) {
      const probe = hearing(commandLine);
      await probe.until(() => probe.failures.length > 0);
      expect(probe.failures).toMatchObject([{ message: `command: ${why}`, retryable }]);
    }
  });

  it("bounds what a program may print", async () => {
    const probe = hearing("yes");
    await probe.until(() => probe.failures.length > 0);
    expect(probe.failures).toMatchObject([{ message: "command: the program prints without end" }]);
  });

  it("runs as many programs at once as it may, the others in turn, and refuses a crowd", async () => {
    const place = await directory();
    const vendor = createCommandStt({
      concurrency: 2,
      commandLine: await script(`touch ${place}/$$; ls ${place} | wc -l; rm ${place}/$$`),
    });
    const probes = Array.from({ length: 30 }, () => new SttProbe(vendor));
    for (const probe of probes) {
      probe.hear(speech);
      probe.session.finalize();
    }
    await Promise.all(probes.map((probe) => probe.until(() => probe.events.length > 0)));
    const texts = probes.flatMap((probe) => probe.finals);
    expect(texts).toHaveLength(2 + 2 * 8);
    // The script itself lies in another directory: what is listed are the programs that run.
    for (const text of texts) expect(Number(text)).toBeLessThanOrEqual(2);
    const refused = probes.flatMap((probe) => probe.failures);
    expect(refused).toHaveLength(30 - texts.length);
    for (const error of refused) expect(error.retryable).toBe(true);
  });

  it("reads its command line when it is configured, not when somebody speaks", () => {
    expect(() => createCommandStt({ commandLine: `whisper "{wav}` })).toThrow("a quote that is not closed");
    expect(() => createCommandStt({ commandLine: "  " })).toThrow("is empty");
  });
});

describe("splitting a command line", () => {
  it.each([
    ["a b  c", ["a", "b", "c"]],
    [`a 'b c' "d e"`, ["a", "b c", "d e"]],
    [`--x="a b"c`, ["--x=a bc"]],
    [`'' ""`, ["", ""]],
    [`"a\\"b" 'a\\b' a\\'b`, [`a"b`, "a\\b", "a'b"]],
  ])("%s", (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it("gives back any words that were quoted for a shell", () => {
    const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (words) => {
        expect(splitCommandLine(words.map(quote).join(" "))).toEqual(words);
      }),
    );
  });
});

describe.runIf(needs("pocketsphinx"))("pocketsphinx as the command recognizer", () => {
  /** Of the words that were said. A general model on a synthetic voice gets one or two of ten wrong. */
  const LEAST_SHARE = 0.7;

  it.each([
    "I would like to book a table for two people tomorrow evening",
    "please tell me when the next train leaves for the city",
  ])("understands most of: %s", async (sentence) => {
    const commandLine = "pocketsphinx_continuous -infile {wav} -logfn /dev/null";
    const probe = new SttProbe(createCommandStt({ commandLine }));
    probe.hear(await flite(sentence));
    probe.session.finalize();
    await probe.until(() => probe.events.length > 0);
    const heard = new Set(probe.finals.join(" ").split(" "));
    const words = sentence.toLowerCase().split(" ");
    const share = words.filter((word) => heard.has(word)).length / words.length;
    expect(share, probe.finals.join(" ")).toBeGreaterThanOrEqual(LEAST_SHARE);
    probe.session.close();
  });
});
