import type { ServerResponse } from "node:http";
import type { Delivery, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestOrganization } from "../../testkit/organization.ts";
import { drip, GIGABYTE, pour, raw } from "../../testkit/receiver-habits.ts";
import { type TestEndpoint, TestWebhooks } from "../../testkit/webhooks.ts";

/** Instead of the 30 s, which send.test.ts has. */
const RECEIVER_TIME_MS = 500;
const TOO_LATE = "no answer within 0.5 s";

let webhooks: TestWebhooks;
let organization: TestOrganization;
beforeAll(async () => {
  webhooks = await TestWebhooks.start({ receiverTimeMs: RECEIVER_TIME_MS });
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  organization = await webhooks.api.createOrganization();
});

type Answer = number | ((response: ServerResponse) => void);

/** An endpoint that answers each attempt as told, the last answer again and again. */
async function endpointAnswering(...answers: Answer[]): Promise<TestEndpoint> {
  return webhooks.endpoint(organization, {
    answer: (response) => {
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
      if (typeof answer === "number") response.writeHead(answer).end();
      else answer(response);
    },
  });
}

const press = async (): Promise<void> =>
  webhooks.press(await webhooks.startCall(organization), organization.orgId);
const latest = async ({ id }: TestEndpoint): Promise<Delivery | undefined> =>
  (await webhooks.deliveries(organization, id))[0];
const read = ({ id }: TestEndpoint): Promise<Webhook> => webhooks.read(organization, id);
const retry = async (): Promise<void> => {
  webhooks.clock.step(10_000);
  await webhooks.api.bus.channels.publish("webhooks-due", "");
};

interface Row {
  readonly receiver: string;
  readonly answer: Answer;
  readonly responseStatus: number | null;
  readonly error?: string;
}

const DELIVERED: readonly Row[] = [
  ...[200, 201, 202, 204, 206, 226, 299].map((status) => ({
    receiver: `answers ${status}`,
    answer: status,
    responseStatus: status,
  })),
  {
    receiver: "answers 200 and resets the connection",
    answer: (response) => {
      response
        .writeHead(200, { "content-length": 10 })
        .write("half", () => response.socket?.resetAndDestroy());
    },
    responseStatus: 200,
  },
  {
    receiver: "answers 200 in drips without end",
    answer: (response) => {
      response.writeHead(200).flushHeaders();
      drip(response, "1\r\n.\r\n");
    },
    responseStatus: 200,
  },
  {
    receiver: "answers 200 and says no more",
    answer: (response) => response.writeHead(200).flushHeaders(),
    responseStatus: 200,
  },
  { receiver: "sends 200 and a gigabyte", answer: (response) => pour(response, 200), responseStatus: 200 },
  {
    receiver: "says 103 before it answers 200",
    answer: raw("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    responseStatus: 200,
  },
];

const FAILED: readonly Row[] = [
  ...[300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 409, 411, 429, 500, 502, 503, 599].map((status) => ({
    receiver: `answers ${status}`,
    answer: (response: ServerResponse) =>
      void response
        .writeHead(status, { location: `${response.req.url}/elsewhere`, "retry-after": "1" })
        .end(),
    responseStatus: status,
    error: `the receiver answered ${status}`,
  })),
  {
    receiver: "sends 500 and a gigabyte",
    answer: (response) => pour(response, 500),
    responseStatus: 500,
    error: "the receiver answered 500",
  },
  { receiver: "hangs", answer: () => undefined, responseStatus: null, error: TOO_LATE },
  {
    receiver: "drips a head without end",
    answer: (response) => {
      raw("HTTP/1.1 200 OK\r\n")(response);
      drip(response, "x: y\r\n");
    },
    responseStatus: null,
    error: TOO_LATE,
  },
  {
    receiver: "says 102 and hangs",
    answer: raw("HTTP/1.1 102 Processing\r\n\r\n"),
    responseStatus: null,
    error: TOO_LATE,
  },
  {
    receiver: "hangs up",
    answer: (response) => void response.destroy(),
    responseStatus: null,
    error: "the receiver could not be reached (UND_ERR_SOCKET)",
  },
  {
    receiver: "resets the connection",
    answer: (response) => void response.socket?.resetAndDestroy(),
    responseStatus: null,
    error: "the receiver could not be reached (ECONNRESET)",
  },
  {
    receiver: "does not speak HTTP",
    answer: raw("220 smtp.example ESMTP\r\n"),
    responseStatus: null,
    error: "the receiver does not speak HTTP",
  },
  {
    receiver: "has a head of a megabyte",
    answer: raw(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(2 ** 20)}\r\n\r\n`),
    responseStatus: null,
    error: "the receiver could not be reached (UND_ERR_HEADERS_OVERFLOW)",
  },
];

/** Row by row: what an answer makes of a delivery and of its endpoint. */
describe("a delivery to a receiver that", () => {
  it.each(DELIVERED)("$receiver is delivered", async ({ answer, responseStatus }) => {
    const endpoint = await endpointAnswering(answer);
    await press();
    await expect
      .poll(() => latest(endpoint), { timeout: 90_000 })
      .toMatchObject({ status: "delivered", attempts: 1, responseStatus, error: null, nextAttemptAt: null });
    expect(await read(endpoint)).toMatchObject({ enabled: true, last_error: null });
  });

  it.each(FAILED)(
    "$receiver is failed, and made again in 10 s",
    async ({ answer, responseStatus, error }) => {
      const endpoint = await endpointAnswering(answer, 200);
      await press();
      await expect
        .poll(() => latest(endpoint), { timeout: 90_000 })
        .toMatchObject({ status: "failed", attempts: 1, responseStatus, error });
      const failed = await latest(endpoint);
      expect(Date.parse(failed?.nextAttemptAt ?? "") - Date.parse(failed?.lastAttemptAt ?? "")).toBe(10_000);
      expect(await read(endpoint)).toMatchObject({ enabled: true, last_error: null });
      await retry();
      await expect
        .poll(() => latest(endpoint))
        .toMatchObject({ status: "delivered", attempts: 2, error: null });
      expect(endpoint.receiver.received.map(({ path }) => path)).toEqual(["", ""]);
    },
  );

  it("is not there is failed", async () => {
    const endpoint = await endpointAnswering(200);
    await endpoint.receiver.close();
    await press();
    await expect
      .poll(() => latest(endpoint))
      .toMatchObject({ status: "failed", error: "the receiver could not be reached (ECONNREFUSED)" });
  });

  it("has not answered yet is pending", async () => {
    const endpoint = await endpointAnswering(() => undefined);
    await press();
    await expect.poll(() => endpoint.receiver.received.length).toBe(1);
    expect(await latest(endpoint)).toMatchObject({ status: "pending", attempts: 0, responseStatus: null });
  });

  it.each([
    ["at once", [410], 1],
    ["at a later attempt", [500, 410], 2],
  ])("answers 410 %s is dead, and its endpoint disabled for good", async (_when, answers, attempts) => {
    const endpoint = await endpointAnswering(...answers);
    await press();
    if (attempts > 1) {
      await expect.poll(() => latest(endpoint)).toMatchObject({ status: "failed" });
      await retry();
    }
    const error = "the receiver answered 410";
    await expect.poll(() => latest(endpoint)).toMatchObject({ status: "dead", attempts, error });
    expect(await read(endpoint)).toMatchObject({ enabled: false, last_error: error });
  });

  it("pours out a gigabyte has little of it read, and four kilobytes kept", async () => {
    let poured = 0;
    const endpoint = await endpointAnswering((response) =>
      pour(response, 200, (bytes) => {
        poured += bytes;
      }),
    );
    await press();
    await expect.poll(() => latest(endpoint)).toMatchObject({ status: "delivered" });
    expect((await latest(endpoint))?.responseBody).toBe("x".repeat(4_096));
    expect(poured).toBeLessThan(GIGABYTE / 16);
  });
});

describe("a delivery that failed", () => {
  it("is found by the poll when it is due, told or not", async () => {
    const endpoint = await endpointAnswering(500, 200);
    await press();
    await expect.poll(() => latest(endpoint)).toMatchObject({ status: "failed" });
    webhooks.clock.step(10_000);
    await expect
      .poll(() => latest(endpoint), { timeout: 90_000 })
      .toMatchObject({ status: "delivered", attempts: 2 });
  });

  it("stays as it is when its endpoint is disabled, neither made again nor deleted", async () => {
    const endpoint = await endpointAnswering(500, 410);
    await press();
    await expect.poll(() => latest(endpoint)).toMatchObject({ status: "failed" });
    const stranded = await latest(endpoint);
    await press();
    await expect.poll(() => read(endpoint)).toMatchObject({ enabled: false });
    const other = await endpointAnswering(500, 200);
    await press();
    await expect.poll(() => latest(other)).toMatchObject({ status: "failed" });
    await retry();
    await expect.poll(() => latest(other)).toMatchObject({ status: "delivered" });
    expect(endpoint.receiver.received).toHaveLength(2);
    expect(await webhooks.deliveries(organization, endpoint.id)).toContainEqual(stranded);
  });
});
