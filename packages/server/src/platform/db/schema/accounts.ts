import type { Generated } from 'kysely';

export interface UserRow {
  id: string;
  /** As its owner wrote it; `email_key` is the normalized form, which is unique. */
  email: string;
  email_key: string;
  name: string;
  /** `null` for users of an outside issuer. */
  password_hash: string | null;
  role: 'user' | 'admin';
  status: 'active' | 'banned';
  ban_reason: string | null;
  /** Tokens and sessions made before this moment are refused. */
  credentials_since: number;
  created_at: number;
}

/** The user of a subject at an outside issuer. */
export interface OutsideIdentityRow {
  issuer: string;
  subject: string;
  user_id: string;
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  name: string;
  description: string | null;
  key_prefix: string;
  secret_hash: string;
  /** Separated by spaces; `null` for a key without limits. */
  scopes: string | null;
  created_at: number;
}

export interface SessionRow {
  token_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
}

export interface SigningKeyRow {
  id: string;
  public_jwk: string;
  private_jwk: string;
  created_at: number;
}

export interface SubscriptionRow {
  user_id: string;
  tier: 'free' | 'standard' | 'creator' | 'pro' | 'team';
  status: 'active' | 'inactive';
  period_end: number | null;
}

/** The sum of the ledger, in a row of its own so that one guarded update decides. */
export interface CreditBalanceRow {
  user_id: string;
  balance: number;
}

export interface CreditEntryRow {
  seq: Generated<number>;
  user_id: string;
  kind: 'grant' | 'correction' | 'reserve' | 'settle' | 'return';
  amount: number;
  balance_after: number;
  reason: string | null;
  /** What the entry is for. Unique with `kind`, so that nothing is booked twice. */
  reference: string;
  created_at: number;
}

export interface CreditHoldRow {
  reference: string;
  user_id: string;
  amount: number;
  status: 'held' | 'settled' | 'returned';
  created_at: number;
  updated_at: number;
}

export interface SignInFailureRow {
  seq: Generated<number>;
  /** `account:<e-mail>`, `address:<ip>`, `account:<e-mail> at <ip>` or `owner:<e-mail>`; for codes of devices `code:<user id or ip>`. */
  scope: string;
  at: number;
}

/** An address from which the user has signed in. Failures from elsewhere do not lock the user out there. */
export interface SignInAddressRow {
  /** A keyed hash of e-mail and address, so that the table reveals neither. */
  hash: string;
  user_id: string;
  used_at: number;
}

/** A program on a device without a browser that waits for a sign-in to be allowed (RFC 8628). */
export interface DeviceSignInRow {
  device_code_hash: string;
  /** A keyed hash, because the code is short enough to be guessed from a plain one. */
  user_code_hash: string;
  client_id: string;
  device_name: string | null;
  scopes: string;
  /** Where the request came from: as shown to the user, and as counted for limits. */
  address: string;
  network: string;
  status: 'pending' | 'allowed' | 'denied';
  /** The user who allowed it, and when their credentials were checked. */
  user_id: string | null;
  allowed_at: number | null;
  /** When the program last polled, and how long it must wait between two polls. */
  polled_at: number;
  interval_ms: number;
  expires_at: number;
}

export interface AccountsTables {
  users: UserRow;
  outside_identities: OutsideIdentityRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  signing_keys: SigningKeyRow;
  subscriptions: SubscriptionRow;
  credit_balances: CreditBalanceRow;
  credit_entries: CreditEntryRow;
  credit_holds: CreditHoldRow;
  sign_in_failures: SignInFailureRow;
  sign_in_addresses: SignInAddressRow;
  device_sign_ins: DeviceSignInRow;
}
