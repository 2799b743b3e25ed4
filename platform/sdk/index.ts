export { PlatformError } from "./bridge/platform-error.ts";
export type * from "./types/agents.ts";
export type * from "./types/calls.ts";
export type * from "./types/platform.ts";
export type * from "./types/records.ts";
export type * from "./types/services.ts";
