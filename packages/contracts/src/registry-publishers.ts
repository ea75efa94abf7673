import { type Static, Type } from 'typebox';

import { Link, optional, RepositoryLink, SupportLink, Timestamp } from './registry-fields.ts';

export const PUBLISHER_STATUSES = ['PublisherStatusActive', 'PublisherStatusBanned'] as const;
export const MEMBER_ROLES = ['owner', 'member'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Ends the sentence "A publisher id must be …". */
export const PUBLISHER_ID_EXPECTS =
  'lower-case letters, digits and hyphens, with a letter first and at most 100 of them';
const PublisherId = Type.String({
  pattern: '^[a-z][a-z0-9-]*$',
  maxLength: 100,
  description: 'Starts with a lower-case letter; lower-case letters, digits and hyphens.',
  expects: PUBLISHER_ID_EXPECTS,
});

export const Member = Type.Object(
  {
    id: Type.String(),
    role: Type.String(),
    user: Type.Object({
      id: Type.Optional(Type.String()),
      name: Type.String(),
      email: Type.Optional(Type.String({ description: 'Shown to members and administrators.' })),
    }),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

const publisherTexts = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 1000 }),
  logo: Link,
  source_code_repo: RepositoryLink,
  support: SupportLink,
  website: Link,
};

/** What a publisher says about itself. */
export const PUBLISHER_FIELDS = Object.keys(publisherTexts) as readonly (keyof typeof publisherTexts)[];

export const Publisher = Type.Object(
  {
    id: Type.String(),
    ...optional(publisherTexts),
    createdAt: Timestamp,
    status: Type.Enum(PUBLISHER_STATUSES, { type: 'string' }),
    status_detail: Type.Optional(
      Type.String({ description: 'Why it is banned. Shown to members and administrators.' }),
    ),
    members: Type.Optional(Type.Array(Member)),
  },
  { title: 'Publisher' },
);
export type Publisher = Static<typeof Publisher>;

export const NewPublisher = Type.Object(
  { id: PublisherId, ...optional(publisherTexts) },
  { title: 'NewPublisher' },
);
export type NewPublisher = Static<typeof NewPublisher>;

export const PublisherChanges = Type.Object(optional(publisherTexts), { title: 'PublisherChanges' });
export type PublisherChanges = Static<typeof PublisherChanges>;

export const PublisherToken = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    createdAt: Timestamp,
    token: Type.String({ description: 'Only its first characters.' }),
  },
  { title: 'PublisherToken' },
);
export type PublisherToken = Static<typeof PublisherToken>;

export const NewPublisherToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { title: 'NewPublisherToken' },
);

export const CreatedPublisherToken = Type.Object(
  { token: Type.String({ description: 'The token itself, shown this once.' }) },
  { title: 'CreatedPublisherToken' },
);

export const NewMember = Type.Object(
  { email: Type.String({ maxLength: 254 }), role: Type.Enum(MEMBER_ROLES, { type: 'string' }) },
  { title: 'NewMember' },
);
export const MemberRoleChange = Type.Object(
  { role: Type.Enum(MEMBER_ROLES, { type: 'string' }) },
  { title: 'MemberRoleChange' },
);

export const RegistryUser = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    isAdmin: Type.Boolean(),
    isApproved: Type.Boolean(),
  },
  { title: 'RegistryUser' },
);

export const CanEdit = Type.Object({ canEdit: Type.Boolean() }, { title: 'CanEdit' });
