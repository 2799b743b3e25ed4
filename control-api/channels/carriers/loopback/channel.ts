/** Bus channel on which a simulated phone receives commands for its leg. */
export const channelOf = (callSid: string): string => `loopback:${callSid}`;
