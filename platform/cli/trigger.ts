import { callApi } from "./api-call.ts";
import { CliError } from "./cli-error.ts";
import type { TriggerOptions } from "./options.ts";
import { clean, type Stream } from "./output.ts";

interface SentTest {
  readonly id: string;
  readonly endpoint_id: string;
  readonly url: string | null;
}

/**
 * Sends a sample event to its real receivers and lists them. Throws `ApiError`, or `CliError` when there are
 * none.
 */
export async function trigger(
  options: TriggerOptions,
  { out, signal }: { readonly out: Stream; readonly signal: AbortSignal },
): Promise<void> {
  const { event, set, endpointId, json } = options;
  const answer = await callApi(options, {
    method: "POST",
    path: "/api/v1/events/test",
    body: { event, set, ...(endpointId === undefined ? {} : { endpoint_id: endpointId }) },
    signal,
  });
  const deliveries = answer.deliveries as readonly SentTest[];
  if (json) out.write(`${JSON.stringify(answer)}\n`);
  else {
    const lines = deliveries.map(
      ({ id, url }) => `${clean(event)}  ${id}  → ${clean(url ?? "parley listen")}\n`,
    );
    out.write(lines.join(""));
  }
  if (deliveries.length === 0) {
    throw new CliError(
      `No endpoint or listener receives ${event}. Start parley listen in another terminal, or add an endpoint.`,
    );
  }
}
