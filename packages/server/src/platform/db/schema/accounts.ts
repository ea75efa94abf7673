import type { Generated } from 'kysely';

export interface UserRow {
  id: string;
  /** As written by its owner; `email_key` is the form that must be unique. */
  email: string;
  email_key: string;
  name: string;
  /** Absent for people who sign in elsewhere. */
  password_hash: string | null;
  role: 'user' | 'admin';
  status: 'active' | 'banned';
  ban_reason: string | null;
  /** Tokens and sessions made before this moment are refused. */
  credentials_since: number;
  created_at: number;
}

/** Who an outside issuer's subject is here. */
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
  /** With spaces between them; null for a key without limits. */
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

/** The present sum of the ledger, kept beside it so that one guarded update decides. */
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
  /** What the entry is for. Unique together with `kind`, so nothing is booked twice. */
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

/** From where somebody has signed in: guesses from elsewhere do not shut them out there. */
export interface SignInAddressRow {
  /** Of e-mail and address together, keyed: the table alone names neither. */
  hash: string;
  user_id: string;
  used_at: number;
}

/** A program on a device without a browser that waits for somebody to allow it to sign in (RFC 8628). */
export interface DeviceSignInRow {
  device_code_hash: string;
  /** Keyed: the code is short enough to be guessed from a plain hash. */
  user_code_hash: string;
  client_id: string;
  device_name: string | null;
  scopes: string;
  /** From where it was asked for: for the person who decides, and as it is counted. */
  address: string;
  network: string;
  status: 'pending' | 'allowed' | 'denied';
  /** Who has allowed it, and the moment whose credentials were checked. */
  user_id: string | null;
  allowed_at: number | null;
  /** When it was asked about last, and how long the program must wait between two questions. */
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
