/** A record of the app's own store; what the app put there is in `data`. */
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
  /** A part of a text. */
  readonly $contains?: string | undefined;
}

/** A value means equality. All fields must match. */
export type Query = Readonly<Record<string, string | number | boolean | null | Operators>>;

export interface QueryOpts {
  readonly orderBy?:
    | {
        readonly field: string;
        readonly desc?: boolean | undefined;
        /** Compares as numbers; without it as text. */
        readonly numeric?: boolean | undefined;
      }
    | undefined;
  readonly limit?: number | undefined;
  /** The name of a saved view. */
  readonly view?: string | undefined;
  /** Fields that hold the id of another record, which comes along as `{field}__expanded`. */
  readonly expand?: readonly string[] | undefined;
  /** Ranks by meaning; the object must be declared with `semantic: true`. */
  readonly search?: string | undefined;
}

export interface DataEvent<T = Record<string, unknown>> {
  readonly event: "created" | "updated" | "deleted";
  readonly objectType: string;
  readonly id: string;
  /** Null when it was deleted. */
  readonly data: T | null;
}

export interface Data {
  list<T = Record<string, unknown>>(type: string, query?: Query, opts?: QueryOpts): Promise<AppRecord<T>[]>;
  count(type: string, query?: Query): Promise<{ count: number }>;
  create<T = Record<string, unknown>>(type: string, data: T): Promise<AppRecord<T>>;
  /** The other fields stay. */
  update<T = Record<string, unknown>>(type: string, id: string, data: Partial<T>): Promise<AppRecord<T>>;
  /** False when it was not there. */
  remove(type: string, id: string): Promise<{ deleted: boolean }>;
  /**
   * Tells of every change from the moment it resolves; the result ends it. `onResync`: the connection was lost for a
   * while, so list again.
   */
  subscribe<T = Record<string, unknown>>(
    type: string,
    onChange: (event: DataEvent<T>) => void,
    onResync?: () => void,
  ): Promise<Unsubscribe>;
}

export type Unsubscribe = () => void;
