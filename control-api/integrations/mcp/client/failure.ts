import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { AppError } from "@parley/shared/errors.ts";
import { outcomeOf } from "@parley/shared/net/egress-outcome.ts";
import { cleanText } from "./cleaned-tools.ts";
import { McpUnauthorized } from "./session.ts";

const MAX_MESSAGE_CHARS = 500;
/** The server requires a client capability that we did not declare. */
const MISSING_CAPABILITY = -32_021;

export interface McpFailure {
  /** As the model and the call record get it. */
  readonly code: string;
  /** For the model and the agent's builder; quotes the server only for protocol errors it answered with. */
  readonly message: string;
  /** The scope that the server wants at the next sign-in. */
  readonly wantedScope?: string;
}

/** Describes a failure between us and a server, with what to do about it. */
export function failureOf(error: unknown): McpFailure {
  const cause = rootOf(error);
  if (cause instanceof McpUnauthorized) return unauthorized(cause);
  if (cause instanceof AppError) return { code: cause.code, message: cause.message };
  if (cause instanceof ProtocolError) {
    if (cause.code === MISSING_CAPABILITY) return ASKS_SOMEBODY;
    return {
      code: "server_refused",
      message: cleanText(`The server refused it: ${cause.message}`, MAX_MESSAGE_CHARS),
    };
  }
  if (cause instanceof SdkError) return ofLibrary(cause);
  return ofNetwork(cause);
}

function unauthorized({ challenge: { status, error, scope } }: McpUnauthorized): McpFailure {
  if (error === "insufficient_scope") {
    return {
      code: "insufficient_scope",
      message: "The server needs more permissions than it was given. Sign in again.",
      ...(scope === undefined ? {} : { wantedScope: scope }),
    };
  }
  return status === 401
    ? { code: "needs_sign_in", message: "The server needs a sign-in, or rejected the token." }
    : { code: "forbidden", message: "The server does not allow this account." };
}

function ofLibrary(error: SdkError): McpFailure {
  if (error.code === SdkErrorCode.RequestTimeout)
    return { code: "deadline_exceeded", message: "The server did not answer in time." };
  if (/input_required|InputRequired/.test(`${error.code} ${error.message}`)) return ASKS_SOMEBODY;
  const { cause } = error;
  if (cause instanceof SdkError) return ofLibrary(cause);
  if (cause !== undefined) return ofNetwork(cause);
  return {
    code: "protocol_error",
    message: "There is no Model Context Protocol server at this address.",
  };
}

/** In both eras a server may elicit input from the user; a call has no form to fill in. */
export const ASKS_SOMEBODY: McpFailure = {
  code: "input_required",
  message:
    "The tool wants to ask a person something in a form, which cannot be shown in a call. Go on without this tool.",
};

function ofNetwork(error: unknown): McpFailure {
  switch (outcomeOf(error)) {
    case "timeout":
      return { code: "deadline_exceeded", message: "The server did not answer in time." };
    case "blocked":
      return { code: "blocked_address", message: "The address is not allowed." };
    case "aborted":
      return { code: "abandoned", message: "The request was canceled." };
    default:
      return { code: "unavailable", message: "The server cannot be reached." };
  }
}

/** The cause, if it is an error of ours that a library wrapped: it says more than the wrapper. */
function rootOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError || cause instanceof McpUnauthorized) return cause;
  }
  return error;
}
