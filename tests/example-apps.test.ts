import { fileURLToPath } from "node:url";
import { buildApp } from "@parley/platform/cli/app/build-app.ts";
import { checkBundle } from "@parley/platform/publish-checks/check-bundle.ts";
import { describe, expect, it } from "vitest";
import { incidents, ticketsOf } from "../examples/apps/help-desk/src/help-desk.ts";
import { readLeads } from "../examples/apps/lead-importer/src/read-leads.ts";

const EXAMPLES = fileURLToPath(new URL("../examples/apps", import.meta.url));

describe("an example of an app", () => {
  it.each(["call-follow-ups", "help-desk", "lead-importer"])(
    "%s can be published, and nothing is said against it",
    async (name) => {
      const { problems, isPublishable } = checkBundle(await buildApp(`${EXAMPLES}/${name}`));
      expect({ problems, isPublishable }).toEqual({ problems: [], isPublishable: true });
    },
  );

  it("asks the help desk for the tickets of whoever is on the other side of the call", async () => {
    const asked: object[] = [];
    const http = {
      fetch: async (request: object) => {
        asked.push(request);
        const body = JSON.stringify({ results: [{ id: 7, subject: "Lost", status: "open" }] });
        return { status: 200, headers: {}, body };
      },
    };
    const call = { direction: "outbound", from_number: "+12025550100", to_number: "+12025550199" };
    const calls = { get: async () => call } as unknown as Parameters<typeof ticketsOf>[2]["calls"];
    expect(await ticketsOf("ses_1", "acme", { calls, http })).toMatchObject([{ id: 7 }]);
    expect(asked).toEqual([
      {
        url: "https://acme.zendesk.com/api/v2/search.json?query=type%3Aticket+status%3Csolved+requester%3A%2B12025550199",
        connection: "zendesk",
      },
    ]);
    await expect(
      incidents("page", { http: { fetch: async () => ({ status: 401, headers: {}, body: "" }) } }),
    ).rejects.toThrow("The status page answered 401.");
  });

  it("reads leads as spreadsheets write them", () => {
    expect(
      readLeads('phone,name,note\r\n+12025550111,"Ada, Lady","says ""hi"""\n\n+12025550112,,x\n'),
    ).toEqual([
      { phone: "+12025550111", name: "Ada, Lady", note: 'says "hi"' },
      { phone: "+12025550112", name: "", note: "x" },
    ]);
    expect(() => readLeads("number\n1")).toThrow("no column");
  });
});
