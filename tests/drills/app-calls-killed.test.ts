import { FRAME_TOKEN_HEADER } from "@parley/platform/wire/messages.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleOf } from "../../testkit/apps.ts";
import { needs } from "../../testkit/needs.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { elapsed } from "./support/elapsed.ts";
import { Installation } from "./support/installation.ts";
import { sizeOf } from "./support/sizes.ts";

const { frames, kills } = sizeOf("appCallsKilled");
const BOOKED_WITHIN = { timeout: 60_000, interval: 200 };
const NOTES = { id: "call-notes", scopes: ["objects:note"] };
const COUNT = { kind: "request", id: 1, method: "data.count", params: { type: "note" } };

interface Process {
  readonly server: ServerProcess;
  readonly baseUrl: string;
}

describe.runIf(needs("redis") && needs("postgres"))(
  "processes that answer calls of apps, killed at random",
  () => {
    let parley: Installation;
    const processes: Process[] = [];
    beforeAll(async () => {
      parley = await Installation.start();
    });
    afterAll(() => parley.remove());

    it("have a row of usage for each call that was answered", {
      timeout: 120_000 + 60_000 * kills,
    }, async ({ annotate }) => {
      processes.push(await launch(), await launch());
      const app = await installApp();
      const tokens = await Promise.all(Array.from({ length: frames }, () => app.openFrame()));
      const told = { asked: 0, answered: 0 };
      let isOver = false;
      const callers = tokens.map(async (token) => {
        while (!isOver) {
          const to = processes[Math.floor(processes.length * Math.random())];
          if (!to) throw new Error("no process is there to ask");
          told.asked += 1;
          const kind = await app.ask(to.baseUrl, token).catch(() => "gone");
          if (kind === "result") told.answered += 1;
          await elapsed(20 * Math.random());
        }
      });
      for (let kill = 0; kill < kills; kill++) {
        await elapsed(300 + 1_000 * Math.random());
        const [killed] = processes.splice(Math.floor(2 * Math.random()), 1);
        await killed?.server.kill();
        processes.push(await launch());
      }
      isOver = true;
      await Promise.all(callers);
      await expect.poll(() => sumOf("calls", "counted_app_calls"), BOOKED_WITHIN).toBe(0);
      const used = await sumOf("quantity", "usage_rows");
      await annotate(`${told.asked} calls asked, ${told.answered} answered, ${used} counted, ${kills} kills`);
      expect(told.answered).toBeGreaterThan(0);
      expect(used).toBeGreaterThanOrEqual(told.answered);
      expect(used).toBeLessThanOrEqual(told.asked);
    });

    async function launch(): Promise<Process> {
      const server = await parley.startControlApi({ BILLING: "on" });
      return { server, baseUrl: parley.apiUrl };
    }

    async function sumOf(
      column: "calls" | "quantity",
      table: "counted_app_calls" | "usage_rows",
    ): Promise<number> {
      const { rows } = await sql<{ sum: string }>`
      select coalesce(sum(${sql.ref(column)}), 0)::text as sum from ${sql.table(table)}`.execute(
        parley.database.db,
      );
      return Number(rows[0]?.sum);
    }

    /** Installs an app in an organization of its own. */
    async function installApp() {
      const account = { email: "owner@acme.example", password: "correct horse battery staple" };
      const registered = await post("/api/auth/register", account);
      const { organization, tokens } = registered as {
        organization: { id: string };
        tokens: { accessToken: string };
      };
      const headers = { authorization: `Bearer ${tokens.accessToken}`, "x-org-id": organization.id };
      const apps = `/api/orgs/${organization.id}/apps`;
      const published = await post(`${apps}/versions?activate=true`, bundleOf(NOTES), headers);
      const { id } = (published as { app: { id: string } }).app;
      await request("PUT", `${apps}/${id}/install`, { version: "1.0.0", scopes: NOTES.scopes }, headers);
      return {
        openFrame: async () =>
          String((await post(`${apps}/${id}/frames`, { pageId: "panel" }, headers)).token),
        /** What kind of answer the frame's call gets. */
        ask: async (baseUrl: string, token: string): Promise<string> => {
          const answer = await fetch(`${baseUrl}${apps}/${id}/bridge`, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers, [FRAME_TOKEN_HEADER]: token },
            body: JSON.stringify(COUNT),
          });
          return ((await answer.json()) as { kind: string }).kind;
        },
      };
    }

    const post = (path: string, body: object, headers?: Record<string, string>) =>
      request("POST", path, body, headers);

    async function request(
      method: string,
      path: string,
      body: object,
      headers: Record<string, string> = {},
    ): Promise<Record<string, unknown>> {
      const isZip = body instanceof Uint8Array;
      const answer = await fetch(parley.apiUrl + path, {
        method,
        headers: { "content-type": isZip ? "application/zip" : "application/json", ...headers },
        body: isZip ? Buffer.from(body) : JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    }
  },
);
