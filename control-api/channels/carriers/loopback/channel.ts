/** Where a simulated phone listens to what is asked of its leg. */
export const channelOf = (callSid: string): string => `loopback:${callSid}`;
