import { describe, expect, it } from "vitest";
import { needs } from "../../../testkit/needs.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

describe.runIf(needs("redis") && needs("postgres"))(
  "codes for one destination, asked of two processes",
  () => {
    it("are sent 5 times in an hour, however many ask at once", async () => {
      const { one, other, close } = await startTwoApis();
      try {
        const ask = async (api: typeof one) =>
          (await api.call("POST", "/api/auth/login-otp", { body: { identifier: "raced@example.com" } }))
            .status;
        const statuses = await Promise.all(
          Array.from({ length: 24 }, (_, i) => ask(i % 2 === 0 ? one : other)),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(5);
        expect(statuses.filter((status) => status === 429)).toHaveLength(19);
      } finally {
        await close();
      }
    });
  },
);
