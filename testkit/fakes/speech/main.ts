import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import { startFakeDeepgram } from "./deepgram.ts";
import { startFakeElevenLabs } from "./elevenlabs.ts";
import { createCommandRecognizer, createFliteVoice, createScriptedRecognizer } from "./fake-speech.ts";
import type { Fault, FaultSwitch } from "./faults.ts";
import { startFakeOpenAi } from "./openai.ts";

/**
 * Runs the fake vendors by hand: `node testkit/fakes/speech/main.ts`. It prints the environment that points Parley
 * at them. A line typed here breaks one of them, for example `deepgram die 20000` or `openai status 503`;
 * `deepgram ok` repairs it. They speak with flite and understand with pocketsphinx when it is installed. With
 * `--any-port` they take ports that are free. Ctrl-C ends them.
 */
const apiKey = "fake-key";
const SCRIPT = ["I would like to book a table", "for two people please", "tomorrow evening at eight"];
const PORTS = { deepgram: 8101, elevenlabs: 8102, openai: 8103 };
const POCKETSPHINX = "pocketsphinx_continuous";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const hasPocketsphinx = spawnSync("which", [POCKETSPHINX]).status === 0;
const recognizer = hasPocketsphinx
  ? createCommandRecognizer(`${POCKETSPHINX} -infile {wav} -logfn /dev/null`)
  : createScriptedRecognizer(SCRIPT);
const voice = createFliteVoice();
const portOf = (name: keyof typeof PORTS): number => (process.argv.includes("--any-port") ? 0 : PORTS[name]);

const vendors = {
  deepgram: await startFakeDeepgram({ apiKey, voice, recognizer, port: portOf("deepgram") }),
  elevenlabs: await startFakeElevenLabs({ apiKey, voice, port: portOf("elevenlabs") }),
  openai: await startFakeOpenAi({ apiKey, voice, recognizer, port: portOf("openai") }),
};

stopOnSignal(() => Promise.all([...Object.values(vendors), voice].map((part) => part.close())));
say(`DEEPGRAM_URL=${vendors.deepgram.url} DEEPGRAM_API_KEY=${apiKey}`);
say(`ELEVENLABS_URL=${vendors.elevenlabs.url} ELEVENLABS_API_KEY=${apiKey}`);
say(`OPENAI_BASE_URL=${vendors.openai.url} OPENAI_API_KEY=${apiKey}`);
say(`# They hear ${hasPocketsphinx ? "with pocketsphinx" : `a script: ${SCRIPT.join("; ")}`}.`);
say("# Type: <vendor> ok | hang | mute | status <code> | die <bytes> | stall <bytes> | drip <bytes> <ms>");

const faultsOf = new Map<string, FaultSwitch>(
  Object.entries(vendors).map(([name, { faults }]) => [name, faults]),
);
createInterface({ input: process.stdin }).on("line", (line) => {
  const [name = "", kind = "", ...numbers] = line.trim().split(/\s+/);
  const faults = faultsOf.get(name);
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
