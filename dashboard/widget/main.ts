import { ChatClient } from "./chat-client.ts";
import { Conversation } from "./conversation.ts";
import { openMemory } from "./memory.ts";
import { readSettings } from "./settings.ts";
import { mount } from "./view.ts";

// Entry point of the customer's script tag; the tag is known only while the script runs.
const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  const settings = readSettings(script);
  const conversation = new Conversation({
    client: new ChatClient(settings),
    words: settings.words,
    memory: openMemory(`parley-chat:${settings.serverUrl}:${settings.agentId}`),
  });
  const begin = (): void => {
    mount(settings, conversation);
    conversation.resume();
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin, { once: true });
}
