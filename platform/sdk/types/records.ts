/** A record of the app's own store; `data` holds what the app put there. */
export interface AppRecord<T = Record<string, unknown>> {
  readonly id: string;
  readonly appId: string;
  readonly objectType: string;
  readonly data: T;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt?: string;
}

export interface Operators {
  readonly $eq?: unknown;
  readonly $ne?: unknown;
  readonly $gt?: string | number | undefined;
  readonly $gte?: string | number | undefined;
  readonly $lt?: string | number | undefined;
  readonly $lte?: string | number | undefined;
  readonly $in?: readonly unknown[] | undefined;
  /** Matches a substring. */
  readonly $contains?: string | undefined;
}

/** A plain value means equality. All fields must match. */
export type Query = Readonly<Record<string, string | number | boolean | null | Operators>>;

export interface QueryOpts {
  readonly orderBy?:
    | {
        readonly field: string;
        readonly desc?: boolean | undefined;
        /** Compares as numbers; by default as text. */
        readonly numeric?: boolean | undefined;
      }
    | undefined;
  readonly limit?: number | undefined;
  /** Name of a saved view. */
  readonly view?: string | undefined;
  /** Fields that hold another record's id; that record comes along as `{field}__expanded`. */
  readonly expand?: readonly string[] | undefined;
  /** Ranks by meaning; the object must declare `semantic: true`. */
  readonly search?: string | undefined;
}

export interface DataEvent<T = Record<string, unknown>> {
  readonly event: "created" | "updated" | "deleted";
  readonly objectType: string;
  readonly id: string;
  /** Null for a deletion. */
  readonly data: T | null;
}

export interface Data {
  list<T = Record<string, unknown>>(type: string, query?: Query, opts?: QueryOpts): Promise<AppRecord<T>[]>;
  count(type: string, query?: Query): Promise<{ count: number }>;
  create<T = Record<string, unknown>>(type: string, data: T): Promise<AppRecord<T>>;
  /** Keeps all other fields. */
  update<T = Record<string, unknown>>(type: string, id: string, data: Partial<T>): Promise<AppRecord<T>>;
  /** `deleted` is false when there was no such record. */
  remove(type: string, id: string): Promise<{ deleted: boolean }>;
  /**
   * Reports every change from the moment it resolves; call the result to stop. `onResync` means the
   * connection was lost for a while: list again.
   */
  subscribe<T = Record<string, unknown>>(
    type: string,
    onChange: (event: DataEvent<T>) => void,
    onResync?: () => void,
  ): Promise<Unsubscribe>;
}

export type Unsubscribe = () => void;
