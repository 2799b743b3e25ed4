import { parseUrl } from "@parley/shared/urls.ts";
import { z } from "zod";
import type { Connector, CredentialField } from "../../connector.ts";
import { basic, secret } from "../fields.ts";
import { actions } from "./actions.ts";
import { routesText } from "./routes.ts";
import { verify } from "./verify.ts";

const TOKEN_FORM = "Bearer token";
const HEADER_FORM = "Header";
const USER_FORM = "User name and password";

/** Headers of the exchange itself, which a connection may not set. */
const RESERVED =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|accept|user-agent|content-.*|proxy-.*|sec-.*)$/i;

const address = z
  .string()
  .trim()
  .refine((value) => {
    const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
    if (!url) return false;
    const { username, password, search, hash } = url;
    return [username, password, search, hash].every((part) => part === "");
  }, "an address that begins with https://, without a user, a query or a #")
  .overwrite((value) => parseUrl(value)?.href.replace(/\/+$/, "") ?? value);

const credentials: readonly CredentialField[] = [
  { ...secret("token", "Bearer token", "Sent as Authorization: Bearer.", TOKEN_FORM), isOptional: true },
  {
    key: "headerName",
    label: "Header name",
    help: "The header for the API key, for example X-API-Key.",
    schema: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, "the name of a header")
      .refine((name) => !RESERVED.test(name), "a header that is not set by Parley itself"),
    isPublic: true,
    isOptional: true,
    form: HEADER_FORM,
  },
  { ...secret("headerValue", "Header value", "The key itself.", HEADER_FORM), isOptional: true },
  {
    key: "username",
    label: "User name",
    help: "For basic authentication.",
    isPublic: true,
    isOptional: true,
    form: USER_FORM,
  },
  {
    key: "password",
    label: "Password",
    help: "For basic authentication.",
    isOptional: true,
    form: USER_FORM,
  },
];

export const connector: Connector = {
  id: "http",
  name: "HTTP API",
  category: "Other",
  about: "Calls named routes of any HTTP API, your own for example.",
  authKind: "api_key",
  docsUrl: "/docs",
  credentials,
  settings: [
    {
      key: "url",
      label: "Base URL",
      help: "What every route begins with.",
      placeholder: "https://api.example.com/v1",
      schema: address,
    },
    {
      key: "routes",
      label: "Routes",
      help: "One on each line: a name, a method and a path. What is in braces is filled in by the agent; its other parameters are sent as the query, or as JSON by POST, PUT and PATCH. Agents can call nothing else.",
      placeholder: "stock GET /products/{sku}/stock\ncall_back POST /callbacks",
      schema: routesText,
      isLong: true,
    },
    {
      key: "testPath",
      label: "Test path",
      help: "What is read to see whether the credentials work; it has to answer JSON. Empty: nothing is asked.",
      placeholder: "/status",
      isOptional: true,
      schema: z
        .string()
        .trim()
        .regex(/^\/[\x21-\x7e]{0,500}$/, "a path that begins with /"),
    },
  ],
  authorized: ({ token, headerName, headerValue, username, password }) => {
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    if (headerName !== undefined && headerValue !== undefined) {
      return { [headerName.toLowerCase()]: headerValue };
    }
    return username === undefined ? {} : { authorization: basic(username, password ?? "") };
  },
  verify,
  actions,
};
