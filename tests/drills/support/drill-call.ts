import { expect } from "vitest";
import { TestCaller } from "../../../testkit/caller.ts";

/** Longer than any turn takes, on a machine that is busy with others. */
const ANSWER_WITHIN_MS = 30_000;

/** A caller in a drill, and what was said in the call. */
export class DrillCall {
  readonly sessionId: string;
  #caller: TestCaller;
  /** Every turn that was answered, in order: the caller's words and the agent's. */
  readonly said: string[] = [];

  private constructor(sessionId: string, caller: TestCaller) {
    this.sessionId = sessionId;
    this.#caller = caller;
  }

  static async start(session: { sessionId: string; websocketUrl: string }): Promise<DrillCall> {
    const caller = await TestCaller.start(session.websocketUrl, { acknowledges: true });
    return new DrillCall(session.sessionId, caller);
  }

  get caller(): TestCaller {
    return this.#caller;
  }

  /** Loses its connection and resumes the call at `websocketUrl`. */
  async comeBack(websocketUrl: string): Promise<void> {
    const ready = this.caller.messages.find(({ type }) => type === "ready");
    if (ready?.type !== "ready") throw new Error("the call was never ready");
    this.caller.drop();
    this.#caller = await TestCaller.start(websocketUrl, { acknowledges: true, resume: ready.resume });
  }

  /** Says something and waits until the agent has spoken its answer. */
  async ask(text: string): Promise<void> {
    const heardBefore = this.caller.audio.length;
    this.caller.send({ type: "text", text });
    // The greeting, or what was heard of it, is no answer.
    const { text: answer } = await this.caller.next(
      "transcript",
      ({ role, final, turn }) => role === "assistant" && final && turn > 0,
      ANSWER_WITHIN_MS,
    );
    // Spoken, not only written.
    const frames = (): number => this.caller.audio.length;
    await expect.poll(frames, { timeout: ANSWER_WITHIN_MS }).toBeGreaterThan(heardBefore);
    this.said.push(text, answer);
  }

  async hangUp(): Promise<{ code: number; reason: string }> {
    this.caller.send({ type: "hangup" });
    return this.caller.untilClosed();
  }
}
