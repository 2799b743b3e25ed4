/** Every operation of version 0.5.0 that runs outside the frame. */
export const METHOD_NAMES = [
  ...["data.list", "data.count", "data.create", "data.update", "data.remove", "data.subscribe"],
  ...["agents.list", "agents.createFromTemplate", "agents.createTeamFromTemplate", "agents.publicLink"],
  ...["agents.setPublic", "agents.getConfig", "agents.updateConfig"],
  ...["calls.initiate", "calls.history", "calls.get", "calls.open", "stream.subscribe", "softphone.dial"],
  ...["whatsapp.channels", "whatsapp.send", "session.token", "http.fetch"],
  ...["files.put", "files.get", "files.list", "files.delete", "files.extractText"],
  ...["ai.llm", "ai.llmStream", "ai.models", "links.mint", "links.list", "links.revoke", "members.list"],
  ...["campaigns.addTargets", "campaigns.get", "campaigns.list"],
  ...["connector.connections", "connector.invoke"],
  ...["ui.openModal", "ui.closeModal", "ui.toast", "ui.refresh"],
] as const;
