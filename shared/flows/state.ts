import type { FlowNodeOf } from "../contracts/flows/nodes.ts";
import type { Outcome } from "../contracts/flows/outcomes.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { TransferMode } from "../contracts/transfers.ts";

/** A conversation's position in its flow. Plain data: stored between the messages of a chat. */
export interface FlowState {
  readonly node: string;
  readonly waitsFor: WaitsFor;
  readonly variables: Readonly<Record<string, string>>;
  /** Attempts at this node: failed answers, turns with the model, requests for consent. */
  readonly tries: number;
  /** Lines said since the caller last spoke; the last one is the question, if one was asked. */
  readonly lines: readonly string[];
}

/** What must happen before the flow continues. `begin`: nothing has happened yet. */
export type WaitsFor =
  | { readonly kind: "begin" }
  /** The caller's answer at this node. */
  | { readonly kind: "words" }
  | { readonly kind: "model" }
  | { readonly kind: "tool" }
  /** The caller's yes, before the tool runs. */
  | { readonly kind: "consent" }
  /** The model's choice of the edge out of this node. */
  | { readonly kind: "edge"; readonly outcome: Outcome }
  /** The model's judgment whether the caller wants to leave the node by an exit. */
  | { readonly kind: "exit" }
  | { readonly kind: "transfer" }
  | { readonly kind: "hand_off" }
  | { readonly kind: "nothing" };

export type FlowEvent =
  | { readonly type: "begin" }
  /** `heard`: what the caller heard of the last lines before interrupting them. */
  | { readonly type: "said"; readonly text: string; readonly heard?: string | undefined }
  | { readonly type: "tool_done"; readonly status: string; readonly result: unknown }
  /** The model has talked, or leaves by the `way` with that number among its `ways`. */
  | {
      readonly type: "model_done";
      readonly way?: number | undefined;
      readonly values?: Readonly<Record<string, string>>;
    }
  /** The chosen one of the ways of a `judge`; undefined: none of them. */
  | { readonly type: "judged"; readonly way: number | undefined };

/** What the call does, in order. */
export type FlowEffect =
  | { readonly type: "entered"; readonly node: string }
  | { readonly type: "say"; readonly text: string };

/** A way out that a model may choose. */
export interface Way {
  readonly description: string;
}

/** What follows the effects; its outcome is the next event. */
export type FlowNext =
  /** Listens to the caller; with `digits`, pauses between digits do not end the turn. */
  | { readonly type: "listen"; readonly digits: boolean }
  | {
      readonly type: "tool";
      readonly tool: string;
      readonly arguments: Readonly<Record<string, JsonValue>>;
    }
  | {
      readonly type: "model";
      /** Its placeholders are the flow's variables. */
      readonly prompt: string;
      readonly tools: readonly string[];
      readonly save: FlowNodeOf<"model">["save"];
      readonly ways: readonly Way[];
    }
  | { readonly type: "judge"; readonly ways: readonly Way[] }
  | {
      readonly type: "transfer";
      readonly to: string;
      readonly mode: TransferMode;
      readonly whisper?: string | undefined;
    }
  | {
      readonly type: "hand_off";
      readonly agentId: string;
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly type: "end" }
  /** The event passed more nodes than a turn allows: the flow's checks were skipped. */
  | { readonly type: "stuck" };

export interface FlowStep {
  readonly state: FlowState;
  readonly effects: readonly FlowEffect[];
  readonly next: FlowNext;
}
