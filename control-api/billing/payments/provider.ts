/** What somebody is about to pay. */
export interface PaymentOrder {
  /** Ours: the provider takes one payment of it, however often it is asked. */
  readonly paymentId: string;
  readonly orgId: string;
  /** In micros, whole cents above 0. */
  readonly amount: bigint;
  /** As the person who pays reads it. */
  readonly title: string;
  /** Later top-ups may be taken the same way. */
  readonly keepsMethod: boolean;
  /** How the provider knows the organization; null when it does not yet. */
  readonly customerId: string | null;
  /** Where the person comes back to. */
  readonly returnUrl: string;
}

/** Where to pay: on a page of the provider's, or as the text says. */
export type Begun =
  | { readonly kind: "redirect"; readonly url: string; readonly customerId: string }
  | { readonly kind: "instructions"; readonly text: string };

export interface SavedCharge extends Pick<PaymentOrder, "paymentId" | "orgId" | "amount" | "title"> {
  readonly customerId: string;
  readonly methodId: string;
}

/** `pending`: the provider tells later. */
export type Charged =
  | { readonly state: "succeeded"; readonly intentId: string; readonly amount: bigint }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "pending" };

/** Who takes payments. Card numbers are typed on the provider's pages, and never reach this server. */
export interface PaymentProvider {
  readonly name: "stripe" | "manual";
  /** Throws `AppError` unavailable. */
  begin(order: PaymentOrder): Promise<Begun>;
  /** Takes a payment by what was kept; absent where nothing is. Throws `AppError` unavailable: ask again. */
  charge?(charge: SavedCharge): Promise<Charged>;
}

/** What a provider tells of payments. */
export type PaymentNews =
  | {
      readonly kind: "paid";
      readonly paymentId: string;
      /** In micros. */
      readonly amount: bigint;
      readonly intentId: string | null;
      readonly methodId: string | null;
    }
  | { readonly kind: "failed"; readonly paymentId: string; readonly reason: string }
  | {
      /** Money went back, by a dispute or a refund; `restored`: it came again. */
      readonly kind: "reversed" | "restored";
      readonly intentId: string;
      readonly amount: bigint;
      /** Once for each. */
      readonly source: string;
    };
