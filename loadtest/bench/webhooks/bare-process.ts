import { Agent, request } from "undici";

/**
 * The limit: posts one body repeatedly, with nothing signed or stored. Prints answers per second, and CPU
 * time per post in µs.
 */
const [url = "", deliveries = "", sideBySide = "", body = ""] = process.argv.slice(2);
const dispatcher = new Agent({ connections: Number(sideBySide) });
const WARM_UP = 20_000;
let left = WARM_UP;

async function postInTurn(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const answer = await request(url, {
      method: "POST",
      dispatcher,
      headers: { "content-type": "application/json" },
      body,
    });
    await answer.body.dump();
  }
}

const postAll = () => Promise.all(Array.from({ length: Number(sideBySide) }, postInTurn));
await postAll();
left = Number(deliveries);
const startedMs = performance.now();
const before = process.cpuUsage();
await postAll();
const perSec = (Number(deliveries) * 1_000) / (performance.now() - startedMs);
const { user, system } = process.cpuUsage(before);
console.log(`posted ${perSec} a second for ${(user + system) / Number(deliveries)} µs each`);
process.exit(0);
