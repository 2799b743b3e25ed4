import { startExampleBrain } from "./server.ts";

/** `PORT=8091 npx node examples/brain/main.ts` */
const brain = await startExampleBrain({
  host: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8091),
});
console.log(`the example brain listens at ${brain.url}`);
