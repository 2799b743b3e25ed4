import type { FlowBrainPlan, ModelBrainPlan } from "../../contracts/brain-plan.ts";
import { objectOf } from "../../contracts/tools/tool-kind.ts";
import type { FlowEvent, FlowNext, Way } from "../../flows/state.ts";
import { BrainError } from "../brain-error.ts";
import { asJson } from "../model/chunks.ts";
import type { BrainPart } from "../parts.ts";
import type { BrainClient, BrainQuestion, HistoryMessage } from "../port.ts";
import type { ToolDefinition } from "../tools/definitions.ts";

/** How a flow uses a model: to talk at a node, or to judge which edge to take. */

type Question = BrainQuestion<FlowBrainPlan>;
type Model = BrainClient<ModelBrainPlan>;

export interface AskedModel {
  readonly model: Model;
  readonly history: readonly HistoryMessage[];
  /** What the flow has already said in this turn. */
  readonly said: string;
}

const JUDGE_PROMPT =
  "You follow a phone conversation and decide how it goes on. Call the function that fits what the caller has just said. When none of them fits, answer with the word none.";

/** Talks at a node. Returns the resulting event once the talk is over, and none if the question was abandoned. */
export async function* talk(
  next: Extract<FlowNext, { type: "model" }>,
  question: Question,
  asked: AskedModel,
): AsyncGenerator<BrainPart, FlowEvent> {
  const said = asked.said.trim().replaceAll(/[{}]/g, "");
  const prompt = said === "" ? next.prompt : `${next.prompt}\n\nYou have just said: ${said}`;
  const tools = question.plan.tools.filter(({ name }) => next.tools.includes(name));
  const parameters = objectOf(
    Object.fromEntries(
      next.save.map(({ variable, description }) => [variable, { type: "string", description }]),
    ),
    [],
  );
  let event: FlowEvent = { type: "model_done" };
  const definitions = next.ways.map((way, index) => definitionOf(way, index, parameters));
  const onTaken = (name: string, text: string): void => {
    event = { type: "model_done", way: indexOf(name), values: stringsIn(text) };
  };
  yield* ask({ prompt, tools, definitions, onTaken }, question, asked);
  return event;
}

/** The edge whose condition the model finds met; undefined when it finds none or gave no answer. */
export async function judge(ways: readonly Way[], question: Question, asked: AskedModel): Promise<FlowEvent> {
  let way: number | undefined;
  const definitions = ways.map((one, index) => definitionOf(one, index, objectOf({}, [])));
  const onTaken = (name: string): void => {
    way = indexOf(name);
  };
  try {
    for await (const _ of ask({ prompt: JUDGE_PROMPT, tools: [], definitions, onTaken }, question, asked)) {
      // Text beside the judgment is not for the caller.
    }
  } catch (error) {
    // The edge that needs no judgment covers a failed brain, too.
    if (!(error instanceof BrainError)) throw error;
  }
  return { type: "judged", way };
}

interface Wanted {
  readonly prompt: string;
  readonly tools: FlowBrainPlan["tools"];
  readonly definitions: readonly ToolDefinition[];
  readonly onTaken: (name: string, argumentsText: string) => void;
}

function ask(
  { prompt, tools, definitions, onTaken }: Wanted,
  question: Question,
  { model, history }: AskedModel,
): AsyncIterable<BrainPart> {
  const { flow: _, model: name = "", ...settings } = question.plan;
  const plan: ModelBrainPlan = { ...settings, kind: "model", model: name, prompt, tools };
  const { flow: _kept, ...asked } = question;
  return model.ask({ ...asked, plan, history, ways: { definitions, onTaken } });
}

const WAY = "go_";

function definitionOf(
  { description }: Way,
  index: number,
  parameters: ToolDefinition["function"]["parameters"],
) {
  const described = `Call this as soon as it is so: ${description}`;
  return {
    type: "function",
    function: { name: `${WAY}${index + 1}`, description: described, parameters },
  } as const;
}

function indexOf(name: string): number {
  return Number(name.slice(WAY.length)) - 1;
}

function stringsIn(argumentsText: string): Record<string, string> {
  const value = asJson(argumentsText);
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, typeof one === "string" ? one : JSON.stringify(one)]),
  );
}
