import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { createFliteVoice } from "../speech/fake-speech.ts";
import { newPhoneIds, PHONE_DIALECTS } from "./by-carrier.ts";
import { FakePhone } from "./phone.ts";

/**
 * A manual phone call, as a carrier's media socket brings it: `node testkit/fakes/phones/main.ts twilio
 * <websocketUrl of init-web-call>`. Typed lines are spoken with flite; `keys 12#` presses keys, `hangup` or
 * Ctrl-C hangs up. Received audio is written to `heard.wav`.
 */
const [carrier = "", address = ""] = process.argv.slice(2);
const createDialect = PHONE_DIALECTS.get(carrier);
if (!createDialect || address === "") {
  throw new Error(`Say which carrier and where: ${[...PHONE_DIALECTS.keys()].join("|")} <websocketUrl>`);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const phone = await FakePhone.connect(mediaUrlOf(address, carrier), createDialect(newPhoneIds()));
const voice = createFliteVoice();
const lines = createInterface({ input: process.stdin });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => phone.hangUp());
say("# You are on the phone. Type: <words to say> | keys <digits> | hangup");

lines.on("line", (line) => {
  if (line === "hangup") phone.hangUp();
  else if (line.startsWith("keys ")) phone.press(line.slice("keys ".length));
  else void voice(line).then((samples) => phone.speak(samples));
});

const { code } = await phone.untilClosed();
lines.close();
await voice.close();
const samples = phone.heard.flatMap((frame) => [...frame]);
writeFileSync("heard.wav", encodeWav(Int16Array.from(samples), PCM_RATE_HZ));
say(
  `# The call is over (${code}); heard.wav is what you heard. Faults: ${phone.faults.join("; ") || "none"}`,
);

/** Converts `/v1/calls/<sessionId>?ticket=<ticket>` to the address of the call's media socket. */
function mediaUrlOf(websocketUrl: string, name: string): string {
  const url = new URL(websocketUrl);
  const ticket = url.searchParams.get("ticket");
  if (ticket === null) return websocketUrl;
  const sessionId = url.pathname.split("/").at(-1);
  return new URL(`/v1/media/${name}/${sessionId}/${ticket}`, url).href;
}
