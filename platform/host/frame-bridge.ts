import { z } from "zod";
import type { Method } from "../methods/define.ts";
import { findMethod } from "../methods/table.ts";
import type { FrameRequest, FromHost } from "../sdk/wire.ts";
import { BridgeError } from "../wire/errors.ts";
import { faultsOf, plainWords } from "../wire/plain-words.ts";
import { CallBounds } from "./call-bounds.ts";
import type { Executor } from "./executor.ts";
import { callIdSchema, Flood, fromFrameSchema } from "./from-frame.ts";
import { isWithin } from "./measure.ts";

/** What a frame reports about itself. */
export interface FrameEvents {
  onHeight(px: number): void;
  onCrash(crash: { readonly message: string; readonly stack: string }): void;
  onMounted(): void;
  onAlive(): void;
  onRebuilt(): void;
  /** The host closed the bridge for this reason. */
  onClosed(reason: string): void;
}

interface UnderWay {
  readonly stop: AbortController;
  readonly leave: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The host's end of a frame's only port. Everything that comes out of it is untrusted: size, rate, number and
 * time are bounded, and every call with a distinct id is answered.
 */
export class FrameBridge {
  readonly #port: MessagePort;
  readonly #execute: Executor;
  readonly #events: FrameEvents;
  readonly #words: z.core.$ZodErrorMap;
  readonly #bounds = new CallBounds();
  readonly #flood = new Flood();
  readonly #underWay = new Map<number, UnderWay>();
  #isClosed = false;

  /** `words` says what is wrong with an argument, after the argument's name. */
  constructor(
    port: MessagePort,
    execute: Executor,
    events: FrameEvents,
    words: z.core.$ZodErrorMap = plainWords,
  ) {
    this.#port = port;
    this.#words = words;
    this.#execute = execute;
    this.#events = events;
    port.onmessage = (event) => this.#take(event);
    // An unreadable message belongs to no call.
    port.onmessageerror = () => this.#count();
  }

  /** Tells the app what it did not ask for, such as the theme, or that one of its buttons was pressed. */
  tell(message: Extract<FromHost, { kind: "theme" | "focus" | "ping" | "activated" | "init" }>): void {
    this.#send(message);
  }

  /** Stops taking and answering messages, and tells the frame why. */
  close(reason: string): void {
    if (this.#isClosed) return;
    this.#send({ kind: "closed", reason });
    this.#isClosed = true;
    this.#port.onmessage = null;
    this.#port.close();
    for (const id of [...this.#underWay.keys()]) this.#end(id);
    this.#events.onClosed(reason);
  }

  #take({ data, ports }: MessageEvent<unknown>): void {
    // No message may transfer ports.
    for (const port of ports) port.close();
    if (!this.#count()) return;
    const { success, data: message } = fromFrameSchema.safeParse(data);
    if (!success) {
      this.#refuse(data);
      return;
    }
    switch (message.kind) {
      case "request":
        void this.#answer(message);
        return;
      case "cancel":
        this.#end(message.id);
        return;
      case "height":
        this.#events.onHeight(message.px);
        return;
      case "crash":
        this.#events.onCrash(message);
        return;
      case "mounted":
        this.#events.onMounted();
        return;
      case "alive":
        this.#events.onAlive();
        return;
      case "rebuilt":
        this.#events.onRebuilt();
        return;
      default:
        message satisfies never;
    }
  }

  #count(): boolean {
    if (this.#flood.isWithin()) return true;
    this.close("The app sent more messages than a page can mean.");
    return false;
  }

  /** Answers a malformed message that was meant as a call, so that no caller waits forever. */
  #refuse(data: unknown): void {
    const { success, data: call } = callIdSchema.safeParse(data);
    if (!success || this.#underWay.has(call.id)) return;
    const error = new BridgeError(
      "invalid_arguments",
      "The call is not as calls are: a method, and arguments by name.",
    );
    this.#send({ kind: "error", id: call.id, error: error.toBody() });
  }

  async #answer(request: FrameRequest): Promise<void> {
    const { id } = request;
    // Its answer would be indistinguishable from the first call's.
    if (this.#underWay.has(id)) return;
    try {
      const method = methodOf(request.method);
      const leave = this.#bounds.enter(method);
      this.#underWay.set(id, { stop: new AbortController(), leave, timer: undefined });
      const result = await this.#run(method, request);
      if (!this.#underWay.has(id)) return;
      this.#send({ kind: "result", id, result });
      if (method.streams !== "subscription") this.#end(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #run(method: Method, { id, params, bytes }: FrameRequest): Promise<unknown> {
    const underWay = this.#underWay.get(id);
    if (underWay === undefined) throw new BridgeError("canceled", "The call was canceled.");
    const { signal } = underWay.stop;
    const args = argsOf(method, params, this.#words);
    checkBytes(method, bytes);
    return new Promise((resolve, reject) => {
      underWay.timer = setTimeout(() => reject(late(method)), method.limits.timeoutMs);
      signal.addEventListener("abort", () => reject(new BridgeError("canceled", "The call was canceled.")));
      const isOpen = (): boolean => this.#underWay.get(id) === underWay;
      this.#execute({
        method,
        args,
        bytes,
        signal,
        onEvent: (event) => isOpen() && this.#send({ kind: "event", id, event }),
        onResync: () => isOpen() && this.#send({ kind: "resync", id }),
        onEnd: (error) => isOpen() && this.#fail(id, error),
      })
        .then(resolve, reject)
        .finally(() => clearTimeout(underWay.timer));
    });
  }

  #fail(id: number, error: unknown): void {
    const known =
      error instanceof BridgeError ? error : new BridgeError("internal", "The dashboard failed. Try again.");
    if (!this.#isClosed) this.#send({ kind: "error", id, error: known.toBody() });
    this.#end(id);
  }

  #end(id: number): void {
    const underWay = this.#underWay.get(id);
    if (underWay === undefined) return;
    this.#underWay.delete(id);
    clearTimeout(underWay.timer);
    underWay.leave();
    underWay.stop.abort();
  }

  #send(message: FromHost): void {
    if (!this.#isClosed) this.#port.postMessage(message);
  }
}

function methodOf(name: string): Method {
  const method = findMethod(name);
  if (method !== undefined && method.runsIn !== "frame") return method;
  throw new BridgeError("unknown_method", `There is no operation ${name.slice(0, 64)}.`);
}

/** Parses the arguments; anything the schemas do not define is refused. */
function argsOf(
  method: Method,
  params: FrameRequest["params"],
  words: z.core.$ZodErrorMap,
): Record<string, unknown> {
  const { name, limits } = method;
  if (!isWithin(params, limits.requestBytes)) {
    throw new BridgeError("too_large", `The arguments of ${name} may take ${limits.requestBytes} bytes.`);
  }
  const parsed = z.strictObject(method.params).safeParse(params, { error: words });
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    faultsOf(parsed.error.issues).map(({ path, message }) => [path.join(".") || "arguments", message]),
  );
  const [field = "", said = ""] = Object.entries(fields)[0] ?? [];
  throw new BridgeError("invalid_arguments", `${name}: ${field} ${said}.`, { details: { fields } });
}

function checkBytes({ name, bytes, limits }: Method, given: ArrayBuffer | undefined): void {
  if ((bytes?.in === undefined) !== (given === undefined)) {
    const said = given === undefined ? "needs the bytes of a file" : "takes no file";
    throw new BridgeError("invalid_arguments", `${name} ${said}.`);
  }
  if (given !== undefined && given.byteLength > limits.bodyBytes) {
    throw new BridgeError(
      "too_large",
      `A file may have ${limits.bodyBytes} bytes; this one has ${given.byteLength}.`,
    );
  }
}

function late({ name, limits }: Method): BridgeError {
  return new BridgeError("deadline_exceeded", `${name} took longer than ${limits.timeoutMs / 1_000} s.`);
}
