import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';
import { Link, RepositoryLink, SupportLink } from './registry-fields.ts';

export const PUBLISHER_STATUSES = ['PublisherStatusActive', 'PublisherStatusBanned'] as const;
export const MEMBER_ROLES = ['owner', 'member'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Ends the sentence "A publisher id must be …". */
export const PUBLISHER_ID_EXPECTS =
  'lower-case letters, digits and hyphens, with a letter first and at most 100 of them';
export const PublisherId = Type.String({
  pattern: '^[a-z][a-z0-9-]*$',
  maxLength: 100,
  description: 'Starts with a lower-case letter; lower-case letters, digits and hyphens.',
  expects: PUBLISHER_ID_EXPECTS,
});

export const Member = schema('Member', {
  id: Type.String(),
  role: Type.String(),
  user: Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Shown to members and administrators.' })),
  }),
});
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

export const Publisher = schema('Publisher', {
  id: Type.String(),
  ...optional(publisherTexts),
  createdAt: Timestamp,
  status: oneOf(PUBLISHER_STATUSES),
  status_detail: Type.Optional(
    Type.String({ description: 'Why it is banned. Shown to members and administrators.' }),
  ),
  members: Type.Optional(Type.Array(Member)),
});
export type Publisher = Static<typeof Publisher>;

export const NewPublisher = schema('NewPublisher', { id: PublisherId, ...optional(publisherTexts) });
export type NewPublisher = Static<typeof NewPublisher>;

export const PublisherChanges = schema('PublisherChanges', optional(publisherTexts));
export type PublisherChanges = Static<typeof PublisherChanges>;

export const PublisherToken = schema('PublisherToken', {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  createdAt: Timestamp,
  token: Type.String({ description: 'Only its first characters.' }),
});
export type PublisherToken = Static<typeof PublisherToken>;

export const NewPublisherToken = schema('NewPublisherToken', {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
});

export const CreatedPublisherToken = schema('CreatedPublisherToken', {
  token: Type.String({ description: 'The token itself. It is shown only once.' }),
});

export const NewMember = schema('NewMember', {
  email: Type.String({ maxLength: 254 }),
  role: oneOf(MEMBER_ROLES),
});
export const MemberRoleChange = schema('MemberRoleChange', { role: oneOf(MEMBER_ROLES) });

export const RegistryUser = schema('RegistryUser', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  isAdmin: Type.Boolean(),
  isApproved: Type.Boolean(),
});

export const CanEdit = schema('CanEdit', { canEdit: Type.Boolean() });
