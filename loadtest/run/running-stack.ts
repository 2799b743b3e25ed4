import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { webCallResponseSchema } from "@parley/shared/contracts/sessions.ts";
import { z } from "zod";
import type { LoadTarget } from "./target.ts";

const demoSchema = z.object({ baseUrl: z.url(), apiKey: z.string(), agentId: z.string() });

export interface RunningStack {
  /** Address of the control API. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
}

/** Reads what a running `npm start` wrote for scripts. Throws an Error with a sentence when there is none. */
export async function readDemo(dataDir: string): Promise<RunningStack> {
  const path = join(dataDir, "demo.json");
  const text = await readFile(path, "utf8").catch(() => {
    throw new Error(`${path} is not there: start Parley first (npm start), or leave --demo out.`);
  });
  return demoSchema.parse(JSON.parse(text));
}

/** A running Parley: creates sessions through its control API, as an application would. */
export async function openRunningTarget({ baseUrl, apiKey, agentId }: RunningStack): Promise<LoadTarget> {
  const newCall = async (): Promise<string> => {
    const response = await fetch(new URL("/api/sessions/init-web-call", baseUrl), {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ agentId }),
    }).catch((error: Error) => {
      throw new Error(`${baseUrl} cannot be reached (${error.message}); is Parley running?`);
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`no session could be made: ${response.status} ${JSON.stringify(body)}`);
    return webCallResponseSchema.parse(body).data.websocketUrl;
  };
  // The first session reveals the gateway's address; it is never called, and expires.
  const { protocol, host } = new URL(await newCall());
  const gatewayUrl = `${protocol === "wss:" ? "https:" : "http:"}//${host}`;
  return { name: baseUrl, gatewayUrl, newCall, callersCpu: undefined, close: async () => undefined };
}
