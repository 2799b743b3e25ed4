import type { ClaimedDelivery, Listener, LocalAnswer, Reported } from "./api-client.ts";
import type { Env } from "./connection.ts";
import type { ListenOptions } from "./options.ts";

/** Where a command writes: the process's stream, or a test's. */
export interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One delivery and its outcome; `reported` is undefined when another listener holds the delivery by now. */
export interface Handled {
  readonly delivery: ClaimedDelivery;
  /** Undefined when the delivery is only shown. */
  readonly answer: LocalAnswer | undefined;
  readonly reported: Reported | undefined;
}

/** Reports progress to a person or a program. */
export interface Output {
  ready(listener: Listener): void;
  /** Parley had lost the listener; a new one with the same secret replaces it. */
  renewed(listener: Listener): void;
  handled(handled: Handled): void;
  /** Writes a notice to standard error. */
  notice(text: string): void;
}

type Options = Pick<ListenOptions, "forward" | "events" | "printBody" | "json">;
type Streams = { readonly out: Stream; readonly err: Stream; readonly env: Env };

const GONE = 410;
const RENEWED =
  "Parley had ended this listener; events of the meantime are missing. A new one listens, with the same secret.";
const COLORS = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function createOutput(options: Options, streams: Streams): Output {
  return options.json ? forPrograms(options, streams) : forPeople(options, streams);
}

function forPrograms({ printBody }: Options, { out, err }: Streams): Output {
  const line = (value: unknown) => out.write(`${JSON.stringify(value)}\n`);
  const ready = ({ id, secret }: Listener) =>
    line({ type: "ready", listener_id: id, signing_secret: secret });
  return {
    ready,
    renewed: ready,
    handled: ({ delivery: { id, event, attempt, body }, answer, reported }) => {
      const { durationMs, ...said } = answer ?? { durationMs: null };
      line({
        type: "delivery",
        id,
        event,
        attempt,
        result: reported?.status ?? null,
        response_status: "status" in said ? said.status : null,
        error: "error" in said ? said.error : null,
        duration_ms: durationMs,
        retry_in_secs: reported?.retryInSecs ?? null,
        ...(printBody ? { body } : {}),
      });
    },
    notice: (text) => err.write(`${text}\n`),
  };
}

function forPeople({ forward, events, printBody }: Options, { out, err, env }: Streams): Output {
  const isColored = out.isTTY === true && !env.NO_COLOR;
  const paint = (color: keyof typeof COLORS, text: string): string =>
    isColored ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
  return {
    ready: ({ secret }) => {
      const what = events === undefined ? "All events" : events.join(", ");
      const where = forward === undefined ? "are shown here" : `go to ${forward.href}`;
      out.write(`Ready! Your signing secret is ${secret}\n${what} ${where}. Ctrl-C ends it.\n\n`);
    },
    renewed: () => err.write(`${paint("yellow", RENEWED)}\n`),
    handled: (handled) => {
      const { delivery } = handled;
      const time = paint("dim", new Date().toTimeString().slice(0, 8));
      const [color, text] = outcomeOf(handled);
      const outcome = text === "" ? "" : `  → ${paint(color, clean(text))}`;
      out.write(`${time}  ${clean(delivery.event)}  ${clean(delivery.id)}${outcome}\n`);
      if (printBody) out.write(`${paint("dim", indented(delivery.body))}\n`);
    },
    notice: (text) => err.write(`${paint("yellow", clean(text))}\n`),
  };
}

function outcomeOf({ answer, reported }: Handled): [keyof typeof COLORS, string] {
  if (answer === undefined) return ["dim", ""];
  const what =
    "status" in answer
      ? `${answer.status} in ${answer.durationMs} ms`
      : `${answer.error}, after ${answer.durationMs} ms`;
  if (reported === undefined) return ["yellow", `${what}; it took too long and comes again`];
  if (reported.status === "delivered") return ["green", what];
  const warning =
    "status" in answer && answer.status === GONE ? "; a webhook of yours would be disabled now" : "";
  const next = reported.retryInSecs === null ? "given up" : `tried again in ${reported.retryInSecs} s`;
  return ["red", `${what}${warning}; ${next}`];
}

/** Indents each line by two spaces; text that is not JSON keeps its form. */
function indented(body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON: shown as it is.
  }
  return text
    .split("\n")
    .map((line) => `  ${clean(line)}`)
    .join("\n");
}

/** Removes control characters a terminal would obey: callers and receivers wrote this text. */
export function clean(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
