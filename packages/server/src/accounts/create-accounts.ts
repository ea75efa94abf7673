import type { Audit } from '../platform/audit/audit.service.ts';
import type { ExportUser } from '../platform/export/exported-file.ts';
import type { App } from '../platform/http/route-config.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { createAccountsService, type UserData } from './accounts.service.ts';
import { adminRoutes } from './admin.routes.ts';
import { createAuthenticator } from './authenticate.ts';
import { bootstrap } from './bootstrap.ts';
import { createApiKeysService } from './credentials/api-keys.service.ts';
import { createOperatorTokens } from './credentials/operator-tokens.ts';
import { openSigningKeys } from './credentials/signing-keys.ts';
import { createTokens } from './credentials/tokens.service.ts';
import { billingRoutes } from './credits/billing.routes.ts';
import { createCredits } from './credits/credits.service.ts';
import { createSubscriptions } from './credits/subscriptions.service.ts';
import { customersRoutes } from './customers.routes.ts';
import { createDirectory } from './directory.ts';
import { createExportAccount } from './export-account.ts';
import { createConsentUsers } from './oauth/consent-users.ts';
import { deviceRoutes } from './oauth/device.routes.ts';
import { createDeviceSignIn, REMEMBERED_MS } from './oauth/device-sign-in.service.ts';
import { deleteDeviceSignInsBefore } from './oauth/device-sign-ins.repo.ts';
import { oauthRoutes } from './oauth/oauth.routes.ts';
import { createOAuth } from './oauth/oauth.service.ts';
import { oauthTokenRoutes } from './oauth/oauth-token.routes.ts';
import { createRescueAdministrator } from './rescue-administrator.ts';
import { authRoutes } from './sign-in/auth.routes.ts';
import { FAILURE_WINDOW_MS } from './sign-in/failure-limits.ts';
import { outsideRoutes } from './sign-in/outside.routes.ts';
import type { OutsideClientParts } from './sign-in/outside-client.ts';
import { createOutsideIssuer, type OutsideIssuerParts } from './sign-in/outside-issuer.ts';
import { createOutsideSignIn } from './sign-in/outside-sign-in.service.ts';
import { deleteExpiredSessions } from './sign-in/sessions.repo.ts';
import { createSessions } from './sign-in/sessions.service.ts';
import { deleteFailuresBefore } from './sign-in/sign-in.repo.ts';
import { createSignIn } from './sign-in/sign-in.service.ts';
import { acceptForms } from './sign-in/sign-in-page.ts';

/** How people sign in at the outside issuer in a browser. `name` is shown on the sign-in page. */
type BrowserClient = Pick<OutsideClientParts, 'clientId' | 'clientSecret'> & { readonly name: string };

interface Parts extends ServiceParts {
  readonly audit: Audit;
  readonly dataFolder: string;
  readonly publicUrl: string | undefined;
  readonly tokenSeconds: number;
  readonly sessionSeconds: number;
  readonly signingKeyDays: number;
  readonly addressKey: Secret<Uint8Array>;
  readonly deviceCodeKey: Secret<Uint8Array>;
  /** Called when a user's open connections must be checked again: after a ban, a new password, or the end of a key or session. */
  readonly onRevoked: (userId: string) => void;
  readonly onLimit: (userId: string, limit: number) => Promise<void>;
  readonly ownerOfJobCredential: (credential: string) => Promise<string | undefined>;
  readonly ticketKey: Secret<Uint8Array>;
  readonly operatorKey: Secret<Uint8Array>;
  readonly oidc:
    | (Omit<OutsideIssuerParts, 'db' | 'accounts'> & { readonly client: BrowserClient | undefined })
    | undefined;
}

export async function createAccounts(parts: Parts) {
  const { db, clock, audit, dataFolder, publicUrl, tokenSeconds, sessionSeconds, signingKeyDays } = parts;
  const { addressKey, oidc, onRevoked, onLimit } = parts;
  const credits = createCredits(clock);
  const subscriptions = createSubscriptions({ db, clock, onLimit });
  const userData: UserData[] = [];
  const accounts = createAccountsService({ db, clock, audit, credits, subscriptions, onRevoked, userData });
  const apiKeys = createApiKeysService({ db, clock, onRevoked });
  const signIn = createSignIn({ db, clock, addressKey });
  const keys = await openSigningKeys({ db, clock, keyDays: signingKeyDays, tokenSeconds });
  const tokens = createTokens({ keys, clock, tokenSeconds });
  const operatorTokens = createOperatorTokens({ key: parts.operatorKey, clock });
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const sessions = createSessions({ db, clock, sessionSeconds, isSecure, onRevoked });
  const oauth = createOAuth({ db, clock, tokens, sessionSeconds, apiKeys });
  const devices = createDeviceSignIn({ db, clock, codeKey: parts.deviceCodeKey, apiKeys });
  const outsideIssuer = oidc && createOutsideIssuer({ db, accounts, ...oidc });
  const outsideSignIn =
    oidc?.client &&
    outsideIssuer &&
    createOutsideSignIn({ ...parts, ...oidc, ...oidc.client, outsideIssuer });
  const rescueAdministrator = createRescueAdministrator({
    db,
    audit,
    accounts,
    apiKeys,
    subscriptions,
    onRevoked,
  });
  const exporters: ExportUser[] = [];
  const exportAccount = createExportAccount({ db, audit, accounts, apiKeys, credits, exporters });
  const firstStart = await bootstrap({ db, audit, accounts, apiKeys, credits, dataFolder });
  const outsideName = oidc?.client?.name;
  const consentUsers = createConsentUsers({ clock, signIn, sessions, outsideIssuer, outsideName });

  return {
    authenticator: createAuthenticator({ ...parts, tokens, operatorTokens, outsideIssuer }),
    credits,
    subscriptions,
    directory: createDirectory(db),
    /** Of the first start only. */
    firstStart: firstStart && {
      bootstrapFile: firstStart.file,
      /** A path that signs the administrator in, once. */
      signInPath: `/auth/link?token=${await sessions.makeLink(firstStart.userId)}`,
    },
    /** Registers what an area does when users are banned and deleted. */
    addUserData: (data: UserData): void => void userData.push(data),
    /** Registers what an area adds to the export of a user. */
    addExport: (exportUser: ExportUser): void => void exporters.push(exportUser),
    async routes(app: App): Promise<void> {
      await authRoutes({ signIn, tokens, sessions, keys, outsideName })(app);
      await outsideRoutes({ outsideSignIn, sessions, publicUrl })(app);
      await app.register(async (forms) => {
        acceptForms(forms);
        await oauthRoutes({ oauth, consentUsers, publicUrl })(forms);
        await deviceRoutes({ devices, consentUsers, publicUrl })(forms);
        await oauthTokenRoutes({ oauth, devices })(forms);
      });
      await billingRoutes({ accounts })(app);
      await customersRoutes({ db, accounts, apiKeys, credits, signIn })(app);
      await adminRoutes({ accounts, keys, audit, rescueAdministrator, exportAccount })(app);
    },
    /** Removes what has expired. Called from time to time. */
    async tidy(): Promise<void> {
      const now = clock();
      await deleteExpiredSessions(db, now);
      await deleteDeviceSignInsBefore(db, now - REMEMBERED_MS);
      await deleteFailuresBefore(db, now - FAILURE_WINDOW_MS);
      await keys.maintain();
    },
  };
}
