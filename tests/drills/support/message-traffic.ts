import type { FakeGraphApi, FakeNumber } from "../../../testkit/fakes/messaging/graph-api.ts";
import { elapsed } from "./elapsed.ts";

const WORKERS = 4;
/** Longest pause of a worker between two posts. */
const PAUSE_MS = 100;
const STATUSES = ["sent", "delivered", "read"];

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Meta's side of a busy number: posts each event one to three times, in random order, to any of the processes, and
 * again until one takes it. The statuses of what was sent to contacts come among the messages.
 */
export class MessageTraffic {
  readonly #graph: FakeGraphApi;
  readonly #number: FakeNumber;
  readonly #callbacks: () => readonly string[];
  #pool: unknown[] = [];
  #told = 0;
  #posted = 0;
  #isOver = false;
  readonly #workers: readonly Promise<void>[];

  /** `callbacks`: the webhook's address at each process that runs. */
  constructor(graph: FakeGraphApi, number: FakeNumber, callbacks: () => readonly string[]) {
    this.#graph = graph;
    this.#number = number;
    this.#callbacks = callbacks;
    this.#workers = Array.from({ length: WORKERS }, () => this.#work());
  }

  /** How often an event was taken. */
  get posted(): number {
    return this.#posted;
  }

  /** Whether everything was taken, and every sent message's statuses. */
  get isDone(): boolean {
    this.#addStatuses();
    return this.#pool.length === 0;
  }

  add(events: readonly unknown[]): void {
    const copies = events.flatMap((event) =>
      new Array<unknown>(1 + Math.floor(3 * Math.random())).fill(event),
    );
    this.#pool = shuffled([...this.#pool, ...copies]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  #addStatuses(): void {
    const news = this.#graph.sent.slice(this.#told);
    if (news.length === 0) return;
    this.#told += news.length;
    this.add(
      news.flatMap((sent) => STATUSES.map((status) => this.#graph.status(this.#number, sent, status))),
    );
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      this.#addStatuses();
      const event = this.#pool.pop();
      if (event !== undefined && !(await this.#post(event))) this.#pool.unshift(event);
      await elapsed(PAUSE_MS * Math.random());
    }
  }

  async #post(event: unknown): Promise<boolean> {
    const callbacks = this.#callbacks();
    const url = callbacks[Math.floor(Math.random() * callbacks.length)] ?? "";
    try {
      const isTaken = (await this.#graph.post(url, this.#number, event)) === 200;
      if (isTaken) this.#posted += 1;
      return isTaken;
    } catch {
      // Its process was killed meanwhile: whether it took the event nobody knows.
      return false;
    }
  }
}
