/** A message to be spoken when its turn to be sent has come, as its sealed payload. */
export interface ToSpeak {
  readonly speak: string;
  readonly agentId: string;
}

export function isToSpeak(payload: object): payload is ToSpeak {
  return "speak" in payload;
}
