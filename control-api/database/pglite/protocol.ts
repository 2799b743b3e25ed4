/** Messages between the database thread and its process. */
export interface QueryMessage {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface QueryFault {
  readonly message: string;
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
}

export type ThreadAnswer =
  | { readonly id: number; readonly rows: unknown[]; readonly affectedRows: number | undefined }
  | { readonly id: number; readonly error: QueryFault };

export interface PgliteThreadData {
  /** Directory of the database; undefined keeps it in memory. */
  readonly directory: string | undefined;
  /** File of a dumped database that an in-memory one starts from; absent: empty. */
  readonly snapshot?: string | undefined;
}
