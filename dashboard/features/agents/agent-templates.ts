import { NEW_MODEL } from "./new-brains.ts";

const END_CALL = { kind: "end_call" } as const;

/** What a new agent starts from; `brain` lacks what the dialog asks for. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly says: string;
  readonly agentName: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

const RECEPTIONIST = `You are the friendly receptionist of a small company and you are on the telephone.
Answer in one or two short sentences, as people talk, without lists.
Say so when you do not know something, and offer to take a message: name, number, what it is about.
Repeat names and numbers back. Say goodbye and end the call when the caller is done.`;

const REMINDER = `You call {name} to remind them of their appointment on {appointment}.
Ask whether they will come. If not, ask which day suits them better.
Answer in one or two short sentences. Thank them, say goodbye and end the call.`;

export const TEMPLATES: readonly Template[] = [
  {
    id: "receptionist",
    name: "Receptionist",
    says: "A model with a prompt that answers questions, takes messages and hangs up.",
    agentName: "Receptionist",
    settings: {
      brain: { ...NEW_MODEL, prompt: RECEPTIONIST, tools: [END_CALL] },
      firstResponse: "Hello, how can I help you?",
    },
  },
  {
    id: "reminder",
    name: "Appointment reminder",
    says: "A model that calls people; their name and appointment are variables of each call.",
    agentName: "Reminder",
    settings: {
      brain: { ...NEW_MODEL, prompt: REMINDER, tools: [END_CALL] },
      firstResponse: "Hello {name}, this is a short reminder of your appointment.",
      variables: [
        { name: "name", required: true, description: "Whom it calls" },
        { name: "appointment", required: true, description: "As it is said, “Tuesday at ten”" },
      ],
      voicemail: {
        action: "message",
        message: "Hello {name}, this is a reminder of your appointment on {appointment}. Goodbye.",
      },
    },
  },
  {
    id: "endpoint",
    name: "An endpoint of your own",
    says: "Your code answers each turn over HTTP.",
    agentName: "My agent",
    settings: { brain: { kind: "custom" } },
  },
];
