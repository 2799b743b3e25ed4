import { execFileSync } from "node:child_process";
import type { Channels } from "@parley/shared/bus/bus.ts";
import { zipSync } from "fflate";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type BenchApi, startApi } from "../api/control-api.ts";

const EMAIL = "apps@bench.example";
const PASSWORD = "a password for the bench";
const VERSION = "1.0.0";
/** A page may show many frames at once, each of which is loaded. */
const WAIT_MS = 120_000;

const accountSchema = z.object({
  organization: z.object({ id: z.string() }),
  tokens: z.object({ accessToken: z.string() }),
});
const publishedSchema = z.object({ app: z.object({ id: z.string() }) });
const frameSchema = z.object({ token: z.string() });
const framesSchema = z.object({ origin: z.string() });

/** An app to publish and install. */
export interface BenchApp {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly ui: object;
  readonly script: string;
}

/** A control API on a CPU of its own, an account in it, and a browser. */
export class AppsWorld {
  readonly baseUrl: string;
  readonly orgId: string;
  readonly accessToken: string;
  readonly #parts: { readonly stack: Stack; readonly api: BenchApi; readonly browser: Browser };

  private constructor(
    parts: { readonly stack: Stack; readonly api: BenchApi; readonly browser: Browser },
    account: z.infer<typeof accountSchema>,
  ) {
    this.#parts = parts;
    this.baseUrl = parts.api.baseUrl;
    this.orgId = account.organization.id;
    this.accessToken = account.tokens.accessToken;
  }

  static async start({ cpu, othersCpu }: { cpu: number; othersCpu: number }): Promise<AppsWorld> {
    const stack = await startStack({ othersCpu, gatewayCpu: othersCpu });
    const api = await startApi(stack, cpu);
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
    const registered = await fetch(`${api.baseUrl}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    return new AppsWorld({ stack, api, browser }, accountSchema.parse(await dataOf(registered)));
  }

  /** The bus that the control API is on. */
  get channels(): Channels {
    return this.#parts.stack.bus.channels;
  }

  /** The channel on which changes of an app's records are told (`control-api/apps/records/changes.ts`). */
  changesOf(appId: string, type: string): string {
    return `app-data:${this.orgId}:${appId}:${type}`;
  }

  /** Publishes an app and agrees to all that it asks for; returns its id. */
  async install({ script, ...manifest }: BenchApp): Promise<string> {
    const files = {
      "platform.app.json": JSON.stringify({ ...manifest, name: manifest.id, version: VERSION }),
      "index.js": script,
    };
    const encoder = new TextEncoder();
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])),
    );
    const apps = `/api/orgs/${this.orgId}/apps`;
    const published = await this.#send("POST", `${apps}/versions?activate=true`, zip, "application/zip");
    const { id } = publishedSchema.parse(published).app;
    await this.#send("PUT", `${apps}/${id}/install`, json({ version: VERSION, scopes: manifest.scopes }));
    return id;
  }

  /** Opens a frame of an app without a browser; returns a function that makes calls of it. */
  async frame(appId: string, pageId: string): Promise<(method: string, params: object) => Promise<void>> {
    const token = await this.frameToken(appId, pageId);
    return async (method, params) => {
      const body = json({ kind: "request", id: 1, method, params });
      const answer = await this.#ask("POST", `/api/orgs/${this.orgId}/apps/${appId}/bridge`, body, {
        "x-app-frame": token,
      });
      const { kind } = z.object({ kind: z.string() }).parse(await answer.json());
      if (kind !== "result") throw new Error(`${method} was refused`);
    };
  }

  async frameToken(appId: string, pageId: string): Promise<string> {
    const path = `/api/orgs/${this.orgId}/apps/${appId}/frames`;
    return frameSchema.parse(await this.#send("POST", path, json({ pageId }))).token;
  }

  /** Address of the document that an app's frames begin with. */
  async documentOf(appId: string): Promise<string> {
    const { origin } = framesSchema.parse(await this.#send("GET", "/api/apps/frames"));
    return `${origin}/_apps/${appId}/${VERSION}/frame`;
  }

  /** A page of the dashboard, signed in. */
  async openPage(path: string): Promise<Page> {
    const page = await this.#parts.browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(this.baseUrl + path);
    await page.getByLabel("Email or mobile number").fill(EMAIL);
    await page.keyboard.press("Enter");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.#parts.browser.close();
    await this.#parts.api.close();
    await this.#parts.stack.close();
  }

  async #send(method: string, path: string, body?: BodyInit, type?: string): Promise<unknown> {
    return dataOf(await this.#ask(method, path, body, type === undefined ? {} : { "content-type": type }));
  }

  #ask(
    method: string,
    path: string,
    body?: BodyInit,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.accessToken}`,
        "x-org-id": this.orgId,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }
}

async function dataOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return z.object({ data: z.unknown() }).parse(await response.json()).data;
}

function json(body: object): string {
  return JSON.stringify(body);
}

function chromiumPath(): string {
  const find = "command -v chromium || command -v chromium-browser || command -v google-chrome";
  return execFileSync("sh", ["-c", find], { encoding: "utf8" }).trim();
}
