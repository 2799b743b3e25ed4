/** A payment about to be made. */
export interface PaymentOrder {
  /** Our id, which makes asking the provider idempotent. */
  readonly paymentId: string;
  readonly orgId: string;
  /** In micros, whole cents above 0. */
  readonly amount: bigint;
  /** Shown to the payer. */
  readonly title: string;
  /** Whether later top-ups may use the same method. */
  readonly keepsMethod: boolean;
  /** The provider's id of the organization; null before the first payment. */
  readonly customerId: string | null;
  /** Where the payer returns to. */
  readonly returnUrl: string;
}

/** Where to pay: on the provider's page, or as the text says. */
export type Begun =
  | { readonly kind: "redirect"; readonly url: string; readonly customerId: string }
  | { readonly kind: "instructions"; readonly text: string };

export interface SavedCharge extends Pick<PaymentOrder, "paymentId" | "orgId" | "amount" | "title"> {
  readonly customerId: string;
  readonly methodId: string;
}

/** `pending`: the provider reports the result later. */
export type Charged =
  | { readonly state: "succeeded"; readonly intentId: string; readonly amount: bigint }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "pending" };

/** Takes payments. Card numbers are entered on the provider's pages and never reach this server. */
export interface PaymentProvider {
  readonly name: "stripe" | "manual";
  /** Throws `AppError` unavailable. */
  begin(order: PaymentOrder): Promise<Begun>;
  /** Charges the kept method; absent if the provider keeps none. Throws `AppError` unavailable: ask again. */
  charge?(charge: SavedCharge): Promise<Charged>;
}

/** What a provider reports about payments. */
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
      /** A dispute or refund took money back; `restored`: the money came back again. */
      readonly kind: "reversed" | "restored";
      readonly intentId: string;
      readonly amount: bigint;
      /** Unique per report. */
      readonly source: string;
    };
