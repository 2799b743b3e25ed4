import { expect, it } from "vitest";
import { Loudspeaker } from "./loudspeaker.ts";

const FRAME = Buffer.from(new Int16Array(320).fill(3_000).buffer);
const played = (loudspeaker: Loudspeaker): string[] => {
  const clauses: string[] = [];
  while (!loudspeaker.isEmpty) clauses.push(loudspeaker.play().clause);
  return clauses;
};

it("counts the audio that comes before an answer's words as that answer, not as the one before", () => {
  const loudspeaker = new Loudspeaker();
  loudspeaker.says("This is answer 1.");
  loudspeaker.take(FRAME);
  loudspeaker.begins();
  loudspeaker.take(FRAME);
  loudspeaker.says("This is answer 2.");
  loudspeaker.take(FRAME);
  expect(played(loudspeaker)).toEqual(["This is answer 1.", "This is answer 2.", "This is answer 2."]);
});
