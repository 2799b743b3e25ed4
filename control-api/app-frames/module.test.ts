import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createLogger } from "@parley/shared/log.ts";
import { afterEach, expect, test } from "vitest";
import type { Databases } from "../database/open.ts";
import { openAppFrames, STANDARD_FRAMES_PORT } from "./module.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const open: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Somebody listens on the port afterwards: this server, or one that was there before. */
async function take(port: number): Promise<number> {
  const server: Server = createServer();
  server.listen(port, "127.0.0.1");
  const isOurs = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isOurs) return port;
  open.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function start(http: { appFramesPort?: number; appFramesUrl?: string }): Promise<() => string> {
  const frames = openAppFrames({
    config: {
      http: {
        host: "127.0.0.1",
        privateHost: undefined,
        appFramesPort: http.appFramesPort,
        appFramesUrl: http.appFramesUrl,
        controlApiPort: 0,
        gatewayPort: 0,
        brainPort: 0,
        publicUrl: undefined,
        gatewayPublicUrl: undefined,
        trustProxy: [],
      },
    },
    database: {} as Databases,
    log,
    pagesDir: "unused",
    baseUrl: () => "http://127.0.0.1:8080",
  });
  await frames.module.start?.();
  open.push(async () => frames.module.stop?.());
  return frames.origin;
}

test("a second installation on this machine picks a free port for frames", async () => {
  await take(STANDARD_FRAMES_PORT);
  const origin = await start({});
  expect(origin()).not.toBe(`http://localhost:${STANDARD_FRAMES_PORT}`);
  expect((await fetch(origin().replace("localhost", "127.0.0.1"))).status).toBe(404);
});

test("a port that an operator set is used or refused by name", async () => {
  const appFramesPort = await take(0);
  await expect(start({ appFramesPort })).rejects.toThrow(/APP_FRAMES_PORT/);
});

test("an address that leads to the usual port never leads to another", async () => {
  await take(STANDARD_FRAMES_PORT);
  await expect(start({ appFramesUrl: "https://apps.example" })).rejects.toThrow(/APP_FRAMES_PORT/);
});
