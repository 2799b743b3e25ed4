/** Messages between the pool and its worker threads. */
export interface FliteWorkerData {
  readonly wasmPath: string;
}

export interface FliteQuestion {
  readonly id: number;
  readonly text: string;
  readonly voice: string;
  readonly speed: number | undefined;
}

export type FliteAnswer =
  | { readonly id: number; readonly sampleRateHz: number; readonly samples: Int16Array<ArrayBuffer> }
  | { readonly id: number; readonly problem: string };
