import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrainPart, createBrainClient } from "@parley/shared/brain/client.ts";
import type { BrainQuestion } from "@parley/shared/brain/port.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { plannedBrainSchema } from "@parley/shared/contracts/brain-plan.ts";
import { createLogger } from "@parley/shared/log.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import type { ControlApiTools } from "@parley/shared/tool-runs/port.ts";
import { onTestFinished } from "vitest";
import {
  type ChatAnswer,
  type ChatAsked,
  type ChatModel,
  type FakeChat,
  startFakeChat,
} from "./fakes/chat-completions.ts";

/** For tests whose agents have no control API tools. */
export const NO_TOOLS: ControlApiTools = {
  run: () => Promise.reject(new Error("no tool of this test runs in the control API")),
};

export const OPERATOR_KEY = "operator-key";

/** Brains for one test; `open` allows private customer addresses. */
export function modelBrains({
  operatorUrl = "http://127.0.0.1:9/v1",
  apiKey = OPERATOR_KEY,
  open = true,
  controlApiTools = NO_TOOLS,
}: {
  operatorUrl?: string;
  apiKey?: string | undefined;
  open?: boolean;
  controlApiTools?: ControlApiTools;
} = {}) {
  const dispatchersFor = (allowPrivateTargets: readonly string[]) => {
    const options = { connectTimeoutMs: 500, connectionsPerHost: 8, keepAliveMs: 5_000 };
    const resolve = createSystemResolver({ clock: systemClock });
    const dispatcher = createGuardedDispatcher({ ...options, allowPrivateTargets, resolve });
    onTestFinished(() => dispatcher.destroy());
    return { of: () => dispatcher };
  };
  return createBrainClient({
    dispatchers: dispatchersFor(open ? ["127.0.0.0/8"] : []),
    models: {
      baseUrl: operatorUrl,
      apiKey: apiKey === "" ? undefined : apiKey,
      dispatchers: dispatchersFor(["127.0.0.0/8"]),
    },
    controlApiTools,
    clock: systemClock,
    log: createLogger({ level: "silent", format: "json", name: "test" }),
    metrics: createMetrics(),
  });
}

/** An endpoint that answers as `model` does, until the test ends. */
export async function chat(model: ChatModel, apiKey?: string): Promise<FakeChat> {
  const fake = await startFakeChat(apiKey === undefined ? { model } : { model, apiKey });
  onTestFinished(() => fake.close());
  return fake;
}

/** A model that gives these answers in order. */
export function answering(...answers: ChatAnswer[]): ChatModel {
  let next = 0;
  return () => answers[next++] ?? { text: "(no more answers)" };
}

/** A customer's endpoint, until the test ends; returns its address. */
export async function serve(
  handle: (req: IncomingMessage, res: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => handle(req, res, Buffer.concat(chunks).toString("utf8")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function modelPlan(input: object): BrainQuestion["plan"] {
  return plannedBrainSchema.parse({ kind: "model", model: "m", prompt: "Be kind.", ...input });
}

/** An http tool called `look`. */
export function lookTool(input: object): object {
  return { kind: "http", name: "look", description: "Looks.", ...input };
}

type Asked = Partial<Omit<BrainQuestion, "request">> & { request?: Partial<BrainQuestion["request"]> };

export function question(plan: BrainQuestion["plan"], { request, ...rest }: Asked = {}): BrainQuestion {
  return {
    plan,
    orgId: "org_1",
    request: { query: "hi", sessionId: "ses_1", turn: 1, userId: "usr_1", ...request },
    signal: new AbortController().signal,
    onSent: () => undefined,
    onFirstContent: () => undefined,
    ...rest,
  };
}

export async function collect(parts: AsyncIterable<BrainPart>): Promise<BrainPart[]> {
  const all: BrainPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** Tokens concatenated, with control events by name. */
export function saidIn(parts: readonly BrainPart[]): string {
  return parts.map((part) => (part.type === "token" ? part.text : `<${part.control.event}>`)).join("");
}

export function toolsIn(parts: readonly BrainPart[]) {
  return parts.flatMap((part) =>
    part.type === "control" && part.control.event === "tool" ? [part.control] : [],
  );
}

/** Messages as `role: content`. */
export function contentsOf(asked: ChatAsked | undefined): string[] {
  return (asked?.messages ?? []).map(({ role, content }) => `${role}: ${content}`);
}
