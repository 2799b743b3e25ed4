import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { OpenAPIV3_1 } from "openapi-types";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import { componentRegistry, componentSchemas } from "./components.ts";
import { EXAMPLES } from "./examples.ts";

let api: TestControlApi;
let text: string;
let document: OpenAPIV3_1.Document;
beforeAll(async () => {
  api = await TestControlApi.start();
  text = (await api.call("GET", "/docs/json")).text;
  document = JSON.parse(text) as OpenAPIV3_1.Document;
});
afterAll(() => api.close());

type Operation = OpenAPIV3_1.OperationObject & { readonly at: string };

function operations(): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      ...(operation as OpenAPIV3_1.OperationObject),
      at: `${method.toUpperCase()} ${path}`,
    })),
  );
}
function operation(id: string): Operation {
  const found = operations().find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}
function headersOf(id: string) {
  const parameters = (operation(id).parameters ?? []) as OpenAPIV3_1.ParameterObject[];
  return parameters.filter((parameter) => parameter.in === "header");
}

describe("the OpenAPI document", () => {
  it("passes a validator of OpenAPI 3.1", async () => {
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({
      valid: true,
    });
  });

  it("passes Redocly's recommended rules, warnings included", async () => {
    const lint = async (source: string) =>
      lintFromString({
        source,
        absoluteRef: "/openapi.json",
        config: await createConfig({ extends: ["recommended"] }),
      });
    const problems = await lint(text);
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const { license: _, ...info } = document.info;
    const rules = (await lint(JSON.stringify({ ...document, info }))).map(({ ruleId }) => ruleId);
    expect(rules).toEqual(["info-license"]);
  });

  it("names each operation once, in words", () => {
    const ids = operations().map(({ operationId }) => operationId ?? "");
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  it("says who may call each operation as the server does, and nobody for public ones", () => {
    const securityOf = (id: string) => (operation(id).security ?? []).flatMap((way) => Object.keys(way));
    expect(securityOf("login")).toEqual([]);
    expect(operation("login").security).toEqual([]);
    expect(securityOf("getCallV1")).toEqual(["apiKey"]);
    expect(securityOf("createAgent")).toEqual(["apiKey", "accessToken"]);
    expect(securityOf("initWebCall")).toEqual(["apiKey", "accessToken", "clientToken"]);
    expect(securityOf("sendVisitorMessage")).toEqual(["clientToken"]);
    expect(securityOf("listMembers")).toEqual(["accessToken"]);
  });

  it("declares X-Org-Id where users need it: required where only they may call", () => {
    expect(headersOf("listMembers")).toMatchObject([{ name: "X-Org-Id", required: true }]);
    expect(headersOf("createAgent")).toMatchObject([{ name: "X-Org-Id", required: false }]);
    expect(headersOf("initWebCall").map(({ name }) => name)).toContain("idempotency-key");
    expect(headersOf("initWebCall").map(({ name }) => name)).toContain("X-Org-Id");
    expect(headersOf("getCurrentUser")).toEqual([]);
    expect(headersOf("getCallV1")).toEqual([]);
  });

  it("describes every answer, refusals and failures too, and where it is served", () => {
    for (const { at, responses = {} } of operations()) {
      expect(Object.keys(responses), at).toEqual(expect.arrayContaining(["4XX", "5XX"]));
      expect(
        Object.keys(responses).some((status) => status.startsWith("2")),
        at,
      ).toBe(true);
    }
    expect(text.includes("Default Response")).toBe(false);
    expect(document.servers).toMatchObject([{ url: api.api.baseUrl }]);
  });

  it("tells streams and downloads by their types, and uploads by theirs", () => {
    const typesOf = (id: string, status: string) =>
      Object.keys(
        (operation(id).responses?.[status] as OpenAPIV3_1.ResponseObject | undefined)?.content ?? {},
      );
    expect(typesOf("streamIncomingCalls", "200")).toEqual(["text/event-stream"]);
    expect(typesOf("sendChatMessage", "200")).toEqual(["application/json", "text/event-stream"]);
    for (const status of ["200", "206"]) {
      for (const id of ["downloadCallRecording", "downloadCallAudio", "downloadSharedRecording"])
        expect(typesOf(id, status).toSorted(), id).toEqual(["audio/ogg", "audio/wav"]);
      expect(typesOf("downloadAmbientTrack", status)).toEqual(["audio/wav"]);
    }
    const upload = operation("uploadAmbientTrack").requestBody as OpenAPIV3_1.RequestBodyObject;
    expect(Object.keys(upload.content)).toContain("audio/wav");
  });

  it("names its schemas and uses them again", () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toEqual(
      expect.arrayContaining(["AgentResponse", "CreateAgentInput", "ErrorBody", "Tokens"]),
    );
    for (const name of names) expect(text.includes(`"#/components/schemas/${name}"`), name).toBe(true);
    const inline = operations().flatMap(({ at, responses }) =>
      Object.entries(responses ?? {}).flatMap(([status, response]) => {
        const { content } = response as OpenAPIV3_1.ResponseObject;
        const schema = content?.["application/json"]?.schema;
        return schema && !("$ref" in schema) ? [`${at} ${status}`] : [];
      }),
    );
    expect(inline).toEqual(["GET /.well-known/jwks.json 200"]);
  });

  it("has examples, each of which its schema takes", () => {
    for (const [id, example] of Object.entries(EXAMPLES)) {
      const schema = componentSchemas().find((known) => componentRegistry.get(known)?.id === id);
      expect(schema?.safeParse(example), id).toMatchObject({ success: true });
      expect(text.includes(JSON.stringify(example)), id).toBe(true);
    }
  });
});
