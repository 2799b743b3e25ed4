import { useEffect, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { samplePath } from "./sample-path.ts";
import { useEditor } from "./use-editor.tsx";

/** Plays a sentence as the agent would say it with the page's settings, saved or not. */
export function VoiceSample() {
  const session = useSession();
  const { org } = useHere();
  const { draft } = useEditor();
  const [state, setState] = useState<"silent" | "loading" | "playing">("silent");
  const [problem, setProblem] = useState<string>();
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const listen = async (): Promise<void> => {
    setState("loading");
    setProblem(undefined);
    try {
      const response = await session.open(samplePath(draft), { method: "GET", orgId: org.id });
      stop.current = await play(await response.blob(), () => setState("silent"));
      setState("playing");
    } catch (error) {
      setState("silent");
      setProblem(reasonOf(error));
    }
  };
  const isPlaying = state === "playing";
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          disabled={state === "loading"}
          onClick={() => (isPlaying ? stop.current() : void listen())}
        >
          <Icon name={isPlaying ? "stop" : "speaker"} />
          {isPlaying ? "Stop" : "Listen to a sample"}
        </button>
        <span className="pf-muted" role="status">
          {state === "loading" && "Preparing the sample…"}
        </span>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
    </>
  );
}

/** Plays a sound file from the start; returns the function that stops it. */
async function play(sound: Blob, onOver: () => void): Promise<() => void> {
  const url = URL.createObjectURL(sound);
  const player = new Audio(url);
  const over = (): void => {
    player.pause();
    URL.revokeObjectURL(url);
    onOver();
  };
  player.addEventListener("ended", over, { once: true });
  await player.play();
  return over;
}
