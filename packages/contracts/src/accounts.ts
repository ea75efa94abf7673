import { type Static, Type } from 'typebox';

function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Enum(values, { type: 'string' });
}

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const TIERS = ['free', 'standard', 'creator', 'pro', 'team'] as const;
export const SUBSCRIPTION_STATUSES = ['active', 'inactive'] as const;

/** How many jobs of one user run at once. */
export const CONCURRENT_JOBS: Readonly<Record<Tier, number>> = {
  free: 0,
  standard: 1,
  creator: 3,
  pro: 5,
  team: 25,
};

const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', description: 'E-mail address.' });
const NewPassword = Type.String({ minLength: 8, maxLength: 200, description: 'At least 8 characters.' });
const Timestamp = Type.String({ format: 'date-time' });

export const Tier = oneOf(TIERS);
export type Tier = (typeof TIERS)[number];

export const SignIn = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 1000 }),
  },
  { title: 'SignIn' },
);

export const AccessToken = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT signed with a key of `/.well-known/jwks.json`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'AccessToken' },
);
export type AccessToken = Static<typeof AccessToken>;

export const OAuthTokens = Type.Object(
  {
    ...AccessToken.properties,
    refresh_token: Type.String({ description: 'Good for one exchange for new tokens.' }),
  },
  { title: 'OAuthTokens' },
);

/** RFC 6749, section 5.2, beside the words of every other failure. */
export const OAuthError = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    message: Type.String(),
  },
  { title: 'OAuthError' },
);

export const BillingStatus = Type.Object(
  {
    subscription_status: Type.Enum(['active', 'inactive', 'none'], { type: 'string' }),
    subscription_tier: Type.Optional(
      Type.String({ description: 'In capitals; absent without a subscription.' }),
    ),
    plan_slug: Type.Optional(Tier),
    is_active: Type.Boolean(),
    has_funds: Type.Boolean({ description: 'There are credits.' }),
    renewal_date: Type.Optional(Timestamp),
  },
  { title: 'BillingStatus' },
);
export type BillingStatus = Static<typeof BillingStatus>;

export const BillingBalance = Type.Object(
  {
    credits: Type.Integer(),
    amount_micros: Type.Integer({ description: 'The credits in US cents, 211 for a dollar, rounded down.' }),
    effective_balance_micros: Type.Integer({ description: 'The same.' }),
    currency: Type.Literal('usd'),
  },
  { title: 'BillingBalance' },
);
export type BillingBalance = Static<typeof BillingBalance>;

export const CloudWorkspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Literal('personal'),
    role: Type.Literal('owner'),
  },
  { title: 'CloudWorkspace' },
);

export const Jwks = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  { title: 'Jwks' },
);

export const NewApiKey = Type.Object(
  {
    name: Type.String({ pattern: '\\S', maxLength: 100 }),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { title: 'NewApiKey' },
);
export type NewApiKey = Static<typeof NewApiKey>;

const apiKeyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  key_prefix: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  created_at: Timestamp,
};

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = Type.Object(
  {
    api_key: Type.Object({
      ...apiKeyFields,
      plaintext_key: Type.String({ description: 'The key itself. It is shown this once and stored hashed.' }),
    }),
  },
  { title: 'CreatedApiKey' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeys = Type.Object({ api_keys: Type.Array(ApiKey) }, { title: 'ApiKeys' });

export const Subscription = Type.Object(
  {
    tier: Tier,
    status: oneOf(SUBSCRIPTION_STATUSES),
    period_end: Type.Optional(Timestamp),
    concurrent_jobs: Type.Integer({ description: 'Jobs that may run at once now; 0 when nothing may run.' }),
  },
  { title: 'Subscription' },
);
export type Subscription = Static<typeof Subscription>;

export const SetSubscription = Type.Object(
  {
    tier: Tier,
    status: oneOf(SUBSCRIPTION_STATUSES),
    period_end: Type.Optional(Type.String({ format: 'date-time', description: 'Absent: no end.' })),
  },
  { title: 'SetSubscription' },
);
export type SetSubscription = Static<typeof SetSubscription>;

export const Account = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(ROLES),
    status: oneOf(['active', 'banned']),
    ban_reason: Type.Optional(Type.String()),
    created_at: Timestamp,
    subscription: Subscription,
    credits: Type.Integer({ description: 'Present balance.' }),
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

export const AccountPage = Type.Object(
  {
    total: Type.Integer(),
    users: Type.Array(Account),
    page: Type.Integer(),
    limit: Type.Integer(),
    totalPages: Type.Integer(),
  },
  { title: 'AccountPage' },
);
export type AccountPage = Static<typeof AccountPage>;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
});
export type PageQuery = Static<typeof PageQuery>;

export const UserQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Only users with this text in their e-mail address or name, in upper or lower case.',
    }),
  ),
});
export type UserQuery = Static<typeof UserQuery>;

export const NewUser = Type.Object(
  {
    email: Email,
    password: NewPassword,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { title: 'NewUser' },
);
export type NewUser = Static<typeof NewUser>;

export const UserParams = Type.Object({ userId: Type.String({ description: 'Id of the user.' }) });

export const SetRole = Type.Object({ role: oneOf(ROLES) }, { title: 'SetRole' });
export const SetPassword = Type.Object({ password: NewPassword }, { title: 'SetPassword' });
export const ChangePassword = Type.Object(
  {
    current_password: Type.String({ maxLength: 1000 }),
    new_password: NewPassword,
  },
  { title: 'ChangePassword' },
);
export const Ban = Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }, { title: 'Ban' });

export const ChangeCredits = Type.Object(
  {
    amount: Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      not: { enum: [0] },
      description: 'Credits to add, or with a minus sign to take away. Not 0.',
      expects: 'a whole number other than 0, from -1000000000 to 1000000000',
    }),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Shown in the ledger. Required to take credits away.' }),
    ),
  },
  { title: 'ChangeCredits', example: { amount: -40, reason: 'charged twice' } },
);

export const Balance = Type.Object({ balance: Type.Integer() }, { title: 'Balance' });

export const CreditEntry = Type.Object(
  {
    id: Type.Integer(),
    kind: oneOf(['grant', 'correction', 'reserve', 'settle', 'return']),
    amount: Type.Integer({ description: 'Positive when credits come in, negative when they go out.' }),
    balance_after: Type.Integer(),
    reason: Type.Optional(Type.String()),
    reference: Type.String({ description: 'What the entry belongs to, such as a task.' }),
    created_at: Timestamp,
  },
  { title: 'CreditEntry' },
);
export type CreditEntry = Static<typeof CreditEntry>;

export const CreditLedger = Type.Object(
  {
    balance: Type.Integer(),
    entries: Type.Array(CreditEntry, { description: 'Newest first.' }),
    next_before: Type.Optional(Type.Integer({ description: 'Pass it as `before` for the next page.' })),
  },
  { title: 'CreditLedger' },
);
export type CreditLedger = Static<typeof CreditLedger>;

export const LedgerQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The `next_before` of the page before.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Entries on a page.' }),
});
