export { PlatformError } from "../bridge/platform-error.ts";
export { mount } from "./mount.tsx";
export { useAgents, useCall, useCallHistory } from "./use-calls.ts";
export { useObjects } from "./use-objects.ts";
export { useContext, usePlatform, useSettings, useTheme, useUser } from "./use-page.ts";
