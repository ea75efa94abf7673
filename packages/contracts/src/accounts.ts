import { type Static, Type } from 'typebox';

import { Before, oneOf, schema, Timestamp } from './fields.ts';
import { Tier } from './plans.ts';
import { SCOPES } from './scopes.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const SUBSCRIPTION_STATUSES = ['active', 'inactive'] as const;

const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  expects: 'an e-mail address',
  description: 'E-mail address.',
});
const NewPassword = Type.String({ minLength: 8, maxLength: 200, description: 'At least 8 characters.' });

export const SignIn = schema('SignIn', {
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
});

export const AccessToken = schema('AccessToken', {
  access_token: Type.String({ description: 'A JWT signed with a key of `/.well-known/jwks.json`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
});
export type AccessToken = Static<typeof AccessToken>;

export const SignInMethods = schema('SignInMethods', {
  password: Type.Literal(true),
  outside: Type.Union([
    Type.Object({ name: Type.String({ description: 'Of the outside issuer, for people.' }) }),
    Type.Null(),
  ]),
});

export const OAuthTokens = schema('OAuthTokens', {
  access_token: Type.String({ description: 'A JWT, or an API key for clients that get one.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds. Absent for an API key.' })),
  refresh_token: Type.Optional(Type.String({ description: 'Good for one exchange for new tokens.' })),
  scope: Type.Optional(Type.String({ description: 'Of an API key: what was allowed.' })),
});

/** RFC 8628, section 3.2. */
export const DeviceAuthorization = schema('DeviceAuthorization', {
  device_code: Type.String({ description: 'For `POST /oauth/token`; a secret of the program.' }),
  user_code: Type.String({ description: 'For the person: eight letters, as `BCDF-GHJK`.' }),
  verification_uri: Type.String({ description: 'Where the person enters it.' }),
  verification_uri_complete: Type.String({ description: 'The same with the code, for a link or a QR code.' }),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  interval: Type.Integer({ description: 'Seconds to wait between two questions.' }),
});

/** RFC 6749, section 5.2, plus the `message` of all other errors. */
export const OAuthError = schema('OAuthError', {
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
  message: Type.String(),
});

export const BillingStatus = schema('BillingStatus', {
  subscription_status: oneOf(['active', 'inactive', 'none']),
  subscription_tier: Type.Optional(
    Type.String({ description: 'In capitals; absent without a subscription.' }),
  ),
  plan_slug: Type.Optional(Tier),
  is_active: Type.Boolean(),
  has_funds: Type.Boolean({ description: 'There are credits.' }),
  renewal_date: Type.Optional(Timestamp),
});
export type BillingStatus = Static<typeof BillingStatus>;

export const BillingBalance = schema('BillingBalance', {
  credits: Type.Integer(),
  amount_micros: Type.Integer({ description: 'The credits in US cents, 211 for a dollar, rounded down.' }),
  effective_balance_micros: Type.Integer({ description: 'The same.' }),
  currency: Type.Literal('usd'),
});

export const CloudWorkspace = schema('CloudWorkspace', {
  id: Type.String(),
  name: Type.String(),
  type: Type.Literal('personal'),
  role: Type.Literal('owner'),
});

export const Jwks = schema('Jwks', { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) });

export const NewApiKey = schema('NewApiKey', {
  name: Type.String({ pattern: '\\S', maxLength: 100 }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  scopes: Type.Optional(
    Type.Array(oneOf(SCOPES), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'What the key may be used for. Absent: the same as the credential that creates it.',
    }),
  ),
});
export type NewApiKey = Static<typeof NewApiKey>;

const apiKeyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  scopes: Type.Optional(
    Type.Array(oneOf(SCOPES), { description: 'What the key may be used for. Absent: everything.' }),
  ),
  key_prefix: Type.String({ description: 'The first characters of the key, for recognizing it.' }),
  created_at: Timestamp,
};

export const ApiKey = schema('ApiKey', apiKeyFields);
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = schema('CreatedApiKey', {
  api_key: Type.Object({
    ...apiKeyFields,
    plaintext_key: Type.String({
      description: 'The key itself. It is shown only once, and stored as a hash.',
    }),
  }),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const ApiKeys = schema('ApiKeys', { api_keys: Type.Array(ApiKey) });

export const Subscription = schema('Subscription', {
  tier: Tier,
  status: oneOf(SUBSCRIPTION_STATUSES),
  period_end: Type.Optional(Timestamp),
  concurrent_jobs: Type.Integer({ description: 'Jobs that may run at once now; 0 when nothing may run.' }),
});
export type Subscription = Static<typeof Subscription>;

export const SetSubscription = schema('SetSubscription', {
  tier: Tier,
  status: oneOf(SUBSCRIPTION_STATUSES),
  period_end: Type.Optional(Type.String({ format: 'date-time', description: 'Absent: no end.' })),
});
export type SetSubscription = Static<typeof SetSubscription>;

export const Account = schema('Account', {
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
  status: oneOf(['active', 'banned']),
  ban_reason: Type.Optional(Type.String()),
  created_at: Timestamp,
  subscription: Subscription,
  credits: Type.Integer({ description: 'Present balance.' }),
});
export type Account = Static<typeof Account>;

export const AccountPage = schema('AccountPage', {
  total: Type.Integer(),
  users: Type.Array(Account),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
});
export type AccountPage = Static<typeof AccountPage>;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
});

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

export const NewUser = schema('NewUser', {
  email: Email,
  password: NewPassword,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
export type NewUser = Static<typeof NewUser>;

export const Rescue = schema('Rescue', { email: Type.Optional(Email) });
export const Rescued = schema('Rescued', {
  id: Type.String(),
  email: Type.String(),
  password: Type.String(),
  /** Absent when the account has as many keys as it may have. */
  api_key: Type.Optional(Type.String()),
  created: Type.Boolean(),
});
export type Rescued = Static<typeof Rescued>;

export const SetRole = schema('SetRole', { role: oneOf(ROLES) });
export const SetPassword = schema('SetPassword', { password: NewPassword });
export const ChangePassword = schema('ChangePassword', {
  current_password: Type.String({ maxLength: 1000 }),
  new_password: NewPassword,
});
export const Ban = schema('Ban', { reason: Type.String({ minLength: 1, maxLength: 1000 }) });

export const ChangeCredits = schema(
  'ChangeCredits',
  {
    amount: Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      not: { enum: [0] },
      description: 'Credits to add, or negative to remove. Not 0.',
      expects: 'a whole number other than 0, from -1000000000 to 1000000000',
    }),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Shown in the ledger. Required to remove credits.' }),
    ),
  },
  { example: { amount: -40, reason: 'charged twice' } },
);

export const Balance = schema('Balance', { balance: Type.Integer() });

export const CreditEntry = schema('CreditEntry', {
  id: Type.Integer(),
  kind: oneOf(['grant', 'correction', 'reserve', 'settle', 'return']),
  amount: Type.Integer({ description: 'Positive for credits received, negative for credits spent.' }),
  balance_after: Type.Integer(),
  reason: Type.Optional(Type.String()),
  reference: Type.String({ description: 'What the entry is for, such as a task.' }),
  created_at: Timestamp,
});

export const CreditLedger = schema('CreditLedger', {
  balance: Type.Integer(),
  entries: Type.Array(CreditEntry, { description: 'Newest first.' }),
  next_before: Type.Optional(Type.Integer({ description: 'Pass it as `before` for the next page.' })),
});

export const LedgerQuery = Type.Object({
  before: Type.Optional(Before),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Entries on a page.' }),
});
