import type { Track } from "@parley/shared/contracts/tracks.ts";
import type { TestAnswer, TestControlApi } from "./control-api.ts";

interface Upload {
  readonly orgId: string;
  readonly key: string;
  readonly wav: Uint8Array;
  readonly name?: string;
  readonly contentType?: string;
}

/** Sends a file to an organization's library; returns any answer. */
export async function sendTrack(
  api: TestControlApi,
  { orgId, key, wav, name = "Keys", contentType = "audio/wav" }: Upload,
): Promise<TestAnswer> {
  const path = `/api/orgs/${orgId}/ambient-tracks?name=${encodeURIComponent(name)}`;
  const response = await fetch(api.api.baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": contentType },
    body: new Uint8Array(wav),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Adds a file to an organization's library. */
export async function uploadTrack(api: TestControlApi, upload: Upload): Promise<Track> {
  const answer = await sendTrack(api, upload);
  if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${answer.text}`);
  return answer.body.data as Track;
}
