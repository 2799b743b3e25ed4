import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import {
  type RemoteVendorName,
  speechSettings,
  type VendorSetting,
} from "@parley/shared/contracts/speech-vendors.ts";
import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import { startFakeDeepgram } from "./deepgram.ts";
import { startFakeElevenLabs } from "./elevenlabs.ts";
import type { FakeServer } from "./fake-server.ts";
import {
  createCommandRecognizer,
  createFliteVoice,
  createScriptedRecognizer,
  type FakeRecognizer,
  type FakeVoice,
} from "./fake-speech.ts";
import type { Fault, FaultSwitch } from "./faults.ts";
import { startFakeOpenAi } from "./openai.ts";

/**
 * Runs the fake vendors by hand: `node testkit/fakes/speech/main.ts`. Prints the environment that points
 * Parley at them. Typed lines break a vendor, for example `deepgram die 20000` or `openai status 503`;
 * `deepgram ok` repairs it. They speak with flite and transcribe with pocketsphinx where installed.
 * `--any-port` uses free ports. Ctrl-C ends them.
 */
const apiKey = "fake-key";
const SCRIPT = ["I would like to book a table", "for two people please", "tomorrow evening at eight"];
const FIRST_PORT = 8101;
const POCKETSPHINX = "pocketsphinx_continuous";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const hasPocketsphinx = spawnSync("which", [POCKETSPHINX]).status === 0;
const recognizer = hasPocketsphinx
  ? createCommandRecognizer(`${POCKETSPHINX} -infile {wav} -logfn /dev/null`)
  : createScriptedRecognizer(SCRIPT);
const voice = createFliteVoice();

interface FakeVendorOptions {
  readonly apiKey: string;
  readonly voice: FakeVoice;
  readonly recognizer: FakeRecognizer;
  readonly port: number;
}
interface FakeVendor extends FakeServer {
  readonly faults: FaultSwitch;
}

/** The fake of each vendor that has an address. */
const START: { readonly [V in RemoteVendorName]: (options: FakeVendorOptions) => Promise<FakeVendor> } = {
  deepgram: startFakeDeepgram,
  elevenlabs: startFakeElevenLabs,
  openai: startFakeOpenAi,
};

const hasAnyPort = process.argv.includes("--any-port");
const vendors = new Map(
  await Promise.all(
    Object.entries(START).map(async ([name, start], index): Promise<[string, FakeVendor]> => {
      const port = hasAnyPort ? 0 : FIRST_PORT + index;
      return [name, await start({ apiKey, voice, recognizer, port })];
    }),
  ),
);

stopOnSignal(() => Promise.all([...vendors.values(), voice].map((part) => part.close())));
for (const [name, { url }] of vendors) {
  const variables = speechSettings().filter(({ vendor }) => vendor === name);
  const valued = (wanted: VendorSetting["kind"], value: string): string[] =>
    variables.flatMap(({ setting: { kind, variable } }) => (kind === wanted ? `${variable}=${value}` : []));
  say([...valued("http", url), ...valued("key", apiKey)].join(" "));
}
say(`# They hear ${hasPocketsphinx ? "with pocketsphinx" : `a script: ${SCRIPT.join("; ")}`}.`);
say("# Type: <vendor> ok | hang | mute | status <code> | die <bytes> | stall <bytes> | drip <bytes> <ms>");

createInterface({ input: process.stdin }).on("line", (line) => {
  const [name = "", kind = "", ...numbers] = line.trim().split(/\s+/);
  const faults = vendors.get(name)?.faults;
  const fault = faultFrom(kind, numbers.map(Number));
  if (faults && kind === "ok") faults.clear();
  else if (faults && fault) faults.set(fault);
  say(faults && (fault || kind === "ok") ? `# ${name}: ${kind}` : `# not understood: ${line}`);
});

function faultFrom(kind: string, [first = 0, second = 0]: number[]): Fault | undefined {
  switch (kind) {
    case "hang":
    case "mute":
      return { kind };
    case "status":
      return { kind, status: first };
    case "die":
    case "stall":
      return { kind, afterBytes: first };
    case "drip":
      return { kind, chunkBytes: first, everyMs: second };
    default:
      return undefined;
  }
}
