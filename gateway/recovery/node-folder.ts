import { readdir, rename, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { orIfMissing } from "../files/missing-file.ts";

const FOLDERS = "nodes";
/** Separates a dead node's name from that of the node that took its folder over. */
const TAKEN_BY = "+";

/**
 * What a node would leave behind in its data directory: `nodes/<node id>/` holds the call events that wait for the bus,
 * and a note for each recording that is not announced yet. Folders are created with their first content.
 */
export interface NodeFolder {
  readonly path: string;
  /** The node that must be alive for this folder to need no rescue: its own, or the one that took it over. */
  readonly ownerId: string;
  readonly isTakenOver: boolean;
  readonly eventsPath: string;
  readonly recordingsPath: string;
}

export function nodeFolder(dataDir: string, name: string): NodeFolder {
  const path = join(dataDir, FOLDERS, name);
  return {
    path,
    ownerId: name.slice(name.lastIndexOf(TAKEN_BY) + 1),
    isTakenOver: name.includes(TAKEN_BY),
    eventsPath: join(path, "events.jsonl"),
    recordingsPath: join(path, "recordings"),
  };
}

export async function listNodeFolders(dataDir: string): Promise<NodeFolder[]> {
  const names = await readdir(join(dataDir, FOLDERS)).catch((error: unknown) => orIfMissing(error, []));
  return names.map((name) => nodeFolder(dataDir, name));
}

/** Atomically gives a dead node's folder to `nodeId`; undefined if another node was first. */
export async function takeOver(folder: NodeFolder, nodeId: string): Promise<NodeFolder | undefined> {
  const [deadId = ""] = basename(folder.path).split(TAKEN_BY);
  const dataDir = join(folder.path, "..", "..");
  const ours = nodeFolder(dataDir, `${deadId}${TAKEN_BY}${nodeId}`);
  const isOurs = await rename(folder.path, ours.path).then(
    () => true,
    (error: unknown) => orIfMissing(error, false),
  );
  return isOurs ? ours : undefined;
}

/** Removes an empty folder; a folder that still holds something stays. */
export async function removeIfEmpty({ path, recordingsPath }: NodeFolder): Promise<void> {
  for (const directory of [recordingsPath, path]) await rmdir(directory).catch(() => undefined);
}
