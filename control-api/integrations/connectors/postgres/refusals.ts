import { DatabaseError } from "pg";
import { readable } from "../../vendor/answers.ts";
import { VendorError, type VendorProblem } from "../../vendor/vendor.ts";

/** By SQLSTATE, or its two-character class. */
const PROBLEMS: Readonly<Record<string, VendorProblem>> = {
  "28": "unauthorized",
  "42501": "denied",
  "3D000": "rejected",
  "25006": "rejected",
  "57014": "timed_out",
  "22": "rejected",
  "42": "rejected",
  "21": "rejected",
  "0A": "rejected",
  "53300": "rate_limited",
};
const RETRY_AFTER_SECS = 5;

const SENTENCES: Partial<Record<VendorProblem, string>> = {
  unauthorized: "Postgres does not accept the user or the password",
  denied: "This user may not read that",
  rejected: "Postgres refused the query",
  timed_out: "Postgres did not answer in time",
  rate_limited: "Postgres takes no more connections at the moment",
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME_MISMATCH/;

/** Maps a refusal by the server, or on the way to it, to `VendorError`; returns other errors as they are. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof VendorError) return error;
  if (error instanceof DatabaseError) return ofServer(error);
  const code = "code" in error ? String(error.code) : "";
  if (CERTIFICATE.test(code))
    return new VendorError(
      "rejected",
      "The server's certificate cannot be verified; enter the certificate of its authority.",
      { cause: error },
    );
  if (/does not support SSL/.test(error.message))
    return new VendorError("rejected", "The server does not take encrypted connections (TLS).", {
      cause: error,
    });
  return error;
}

function ofServer(error: DatabaseError): VendorError {
  const { code = "" } = error;
  const problem = PROBLEMS[code] ?? PROBLEMS[code.slice(0, 2)] ?? "failed";
  // Sign-in errors name users and hosts, which is of no use to the agent's caller.
  const said = ["unauthorized", "timed_out"].includes(problem) ? undefined : readable(error.message);
  const sentence = SENTENCES[problem] ?? "Postgres failed";
  const options = {
    cause: error,
    ...(problem === "rate_limited" ? { retryAfterSecs: RETRY_AFTER_SECS } : {}),
  };
  return new VendorError(problem, said === undefined ? `${sentence}.` : `${sentence}: ${said}`, options);
}
