import { randomBytes } from "node:crypto";

/** The PLAN_KEY of every control API and gateway of a test file. */
export const TEST_PLAN_KEY = `test:${randomBytes(32).toString("base64")}`;
