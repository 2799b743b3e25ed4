import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { stopOnSignal } from "@parley/shared/stop-on-signal.ts";
import { FakeGraphApi, graphError } from "./graph-api.ts";
import { FakeInstagram, instagramError } from "./instagram.ts";

/**
 * Runs the fakes of WhatsApp and Instagram by hand: `npx node testkit/fakes/messaging/main.ts`. Prints the
 * environment that points Parley at them (with ALLOW_PRIVATE_TARGETS=127.0.0.0/8) and the credentials to connect
 * with. Typed lines are what contacts write, for example `whatsapp say 31612345678 Hello`, once `whatsapp hook <url>`
 * has told where to post. `--any-port` uses free ports. Ctrl-C ends them.
 */
const FIRST_PORT = 8121;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const hasAnyPort = process.argv.includes("--any-port");
const graph = await FakeGraphApi.start(hasAnyPort ? 0 : FIRST_PORT);
const instagram = await FakeInstagram.start(hasAnyPort ? 0 : FIRST_PORT + 1);
stopOnSignal(async () => {
  graph.close();
  instagram.close();
});
const number = graph.addNumber();
const account = instagram.addAccount();
graph.onSent = ({ to, body }) => say(`# whatsapp: to ${to}: ${JSON.stringify(body)}`);
instagram.onSent = ({ to, text }) => say(`# instagram: to ${to}: ${text}`);

const { phoneNumberId, businessAccountId, accessToken, appSecret } = number;
const { accessToken: token, appSecret: secret } = account;
say(`INTEGRATION_URLS=whatsapp=${graph.url},instagram=${instagram.url}`);
say(
  `# whatsapp credentials: ${JSON.stringify({ phoneNumberId, businessAccountId, accessToken, appSecret })}`,
);
say(`# instagram credentials: ${JSON.stringify({ accessToken: token, appSecret: secret })}`);
say("# Type: <whatsapp | instagram> hook <webhook's callbackUrl> | say <from> <text> | refuse | lose");
say(
  "#   or: whatsapp voice <from> <file.ogg> | status <sent | delivered | read | failed> (of its last message)",
);

/** Where each app's events are posted. */
const hooks = new Map<string, string>();

type Obey = (rest: readonly string[]) => Promise<string>;
const WHATSAPP: Readonly<Record<string, Obey>> = {
  say: async ([from = "", ...words]) => {
    const text = { type: "text", text: { body: words.join(" ") } };
    return post(graph.inbound(number, from, text));
  },
  voice: async ([from = "", path = ""]) => {
    const { id } = graph.addMedia("audio/ogg; codecs=opus", await readFile(path));
    const audio = { id, mime_type: "audio/ogg; codecs=opus", voice: true };
    return post(graph.inbound(number, from, { type: "audio", audio }));
  },
  status: async ([status = ""]) => {
    const last = graph.sent.at(-1);
    return last ? post(graph.status(number, last, status)) : "nothing was sent yet";
  },
  refuse: async () =>
    `refuses the next message (${graph.faults.push(graphError(400, 131056, "pair rate limit"))})`,
  lose: async () => `sends the next message without an answer (${graph.faults.push("lost")})`,
};
const INSTAGRAM: Readonly<Record<string, Obey>> = {
  say: async ([from = "", ...words]) => {
    const event = instagram.inbound(account, from, { text: words.join(" ") });
    return `answered ${await instagram.post(hooks.get("instagram") ?? "", account, event)}`;
  },
  refuse: async () =>
    `refuses the next message (${instagram.faults.push(instagramError(400, 4, "rate limit"))})`,
  lose: async () => `sends the next message without an answer (${instagram.faults.push("lost")})`,
};

async function post(event: unknown): Promise<string> {
  return `answered ${await graph.post(hooks.get("whatsapp") ?? "", number, event)}`;
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const [name = "", verb = "", ...rest] = line.trim().split(/\s+/);
  const product = { whatsapp: WHATSAPP, instagram: INSTAGRAM }[name];
  if (product && verb === "hook") {
    hooks.set(name, rest[0] ?? "");
    return say(`# ${name}: posts to ${rest[0]}`);
  }
  const obey = product && Object.hasOwn(product, verb) ? product[verb] : undefined;
  if (!obey) return say(`# not understood: ${line}`);
  obey(rest).then(
    (said) => say(`# ${name}: ${said}`),
    (error: unknown) => say(`# ${name}: ${String(error)}`),
  );
});
