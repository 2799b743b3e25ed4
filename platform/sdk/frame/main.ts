import { startFrame } from "./start-frame.ts";

startFrame();
