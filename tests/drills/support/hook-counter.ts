import { TestReceiver } from "../../../testkit/receiver.ts";

/** A receiver of many endpoints, which counts what came for each by when it occurred. */
export class HookCounter {
  readonly #receiver: TestReceiver;
  readonly #times = new Map<string, Map<string, number>>();
  #received = 0;

  private constructor(receiver: TestReceiver, paths: readonly string[]) {
    this.#receiver = receiver;
    for (const path of paths) this.#times.set(path, new Map());
  }

  static async start(paths: readonly string[]): Promise<HookCounter> {
    const receiver = await TestReceiver.answering(200);
    const counter = new HookCounter(receiver, paths);
    receiver.answer = (response, { path, body }) => {
      const { occurredAt } = JSON.parse(body) as { occurredAt: string };
      const times = counter.#times.get(path);
      times?.set(occurredAt, (times.get(occurredAt) ?? 0) + 1);
      counter.#received += 1;
      receiver.received.length = 0;
      response.end();
    };
    return counter;
  }

  urlOf(path: string): string {
    return this.#receiver.url + path;
  }

  /** In all, duplicates included. */
  get received(): number {
    return this.#received;
  }

  /** How many different ones came for each path. */
  get distinct(): number[] {
    return [...this.#times.values()].map(({ size }) => size);
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }
}
