import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { actions } from "./actions.ts";
import { queries } from "./queries.ts";
import { address, host, port, targetOf } from "./target.ts";
import { verify } from "./verify.ts";

const PARTS = "Host and user";
const ADDRESS = "Connection address";

export const connector: Connector = {
  id: "postgres",
  name: "Postgres",
  category: "Databases",
  about:
    "Reads rows of your own database by queries that you write; a model fills in their parameters, never SQL.",
  authKind: "basic",
  docsUrl: "https://www.postgresql.org/docs/current/sql-createrole.html",
  credentials: [
    {
      key: "host",
      label: "Host",
      help: "The server itself, not a pooler in transaction mode.",
      isPublic: true,
      form: PARTS,
      schema: host,
    },
    {
      key: "port",
      label: "Port",
      help: "5432 when empty.",
      isPublic: true,
      isOptional: true,
      form: PARTS,
      schema: port,
    },
    { key: "database", label: "Database", help: "Its name on the server.", isPublic: true, form: PARTS },
    {
      key: "user",
      label: "User",
      help: "A user that can only SELECT, and only what callers may hear. Superusers are refused.",
      isPublic: true,
      form: PARTS,
    },
    { key: "password", label: "Password", help: "Of that user.", form: PARTS },
    {
      key: "address",
      label: "Connection address",
      help: "postgres://user:password@host:5432/database, of a user that may only SELECT.",
      form: ADDRESS,
      schema: address,
    },
  ],
  settings: [
    {
      key: "queries",
      label: "Queries",
      help: "Put each below a line -- name: its_name. One SELECT each, with parameters as :name. At most 100 rows are read.",
      placeholder:
        "-- name: orders_by_email\nselect number, status from orders where email = :email order by placed_at desc",
      isLong: true,
      schema: queries,
    },
    {
      key: "ca",
      label: "Certificate authority",
      help: "The PEM of the authority that signed the server's certificate, when it is not a public one.",
      placeholder: "-----BEGIN CERTIFICATE-----",
      isOptional: true,
      isLong: true,
    },
    {
      key: "tls",
      label: "TLS",
      help: "Empty: encrypted, with the server's certificate verified. off: not encrypted, for development only.",
      placeholder: "off",
      isOptional: true,
      schema: z.literal("off", "must be empty or off"),
    },
  ],
  identityOf: ({ credentials }) => {
    const { user, host: name, port: number, database } = targetOf(credentials);
    return `${user}@${name}:${number}/${database}`;
  },
  authorized: () => ({}),
  verify,
  actions,
};
