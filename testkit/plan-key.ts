import { randomBytes } from "node:crypto";

/** PLAN_KEY of every control API and gateway in a test file. */
export const TEST_PLAN_KEY = `test:${randomBytes(32).toString("base64")}`;
