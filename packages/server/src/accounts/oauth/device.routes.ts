import { DeviceAuthorization, OAuthError } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { networkOf } from '../sign-in/network-of.ts';
import { ownUrl, requireOwnPage } from '../sign-in/own-page.ts';
import { Page, type PageContent, sendPage, shownProblem } from '../sign-in/sign-in-page.ts';
import { consentPage } from './consent-page.ts';
import { type ConsentUsers, Decision } from './consent-users.ts';
import { type DeviceSignIn, INTERVAL_MS, LIFETIME_MS, type PendingSignIn } from './device-sign-in.service.ts';
import { findClient, readKeyRequest, refuse } from './oauth-clients.ts';

interface Parts {
  readonly devices: DeviceSignIn;
  readonly consentUsers: ConsentUsers;
  readonly publicUrl: string | undefined;
}

const UserCodeQuery = {
  user_code: Type.Optional(
    Type.String({ maxLength: 100, description: 'What the device shows; case and dash do not matter.' }),
  ),
};

/** RFC 8628: signing in where there is no browser. */
export const deviceRoutes: Routes<Parts> = (parts) => async (app) => {
  addAuthorization(app, parts);
  addPage(app, parts);
};

function addAuthorization(app: App, { devices, publicUrl }: Parts): void {
  createRouteDefiner(app, { tag: 'accounts' })('POST', '/oauth/device_authorization', {
    operation: 'oauth.device',
    access: 'public',
    failures: [429],
    summary: 'Begin to sign in on a device without a browser',
    description:
      'RFC 8628. Show `user_code` and `verification_uri` to the person, and ask `POST /oauth/token` every `interval` seconds. From one address at most 20 may be under way (429).',
    consumes: ['application/x-www-form-urlencoded'],
    body: Type.Object({
      client_id: Type.Optional(Type.String({ maxLength: 1000, description: '`atelier-cli`.' })),
      scope: Type.Optional(
        Type.String({
          maxLength: 1000,
          description: 'The scopes of the key, with spaces between them. Absent: all but `admin`.',
        }),
      ),
      device_name: Type.Optional(Type.String({ maxLength: 1000 })),
    }),
    response: { 200: DeviceAuthorization, 400: OAuthError },
    handle: async ({ body, request, reply }) => {
      reply.header('cache-control', 'no-store');
      const { client_id: clientId = '' } = body;
      const client = findClient(clientId);
      if (!client) return await refuse(reply, 'invalid_client');
      if (client.issues !== 'key') return await refuse(reply, 'unauthorized_client');
      const asked = readKeyRequest(body);
      if ('problem' in asked) return await refuse(reply, asked.problem);
      const { deviceCode, userCode } = await devices.begin({ ...asked, clientId, address: request.ip });
      const page = `${ownUrl(request, publicUrl)}/device`;
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: LIFETIME_MS / 1000,
        interval: INTERVAL_MS / 1000,
      };
    },
  });
}

function addPage(app: App, { devices, consentUsers, publicUrl }: Parts): void {
  const route = createRouteDefiner(app, { tag: 'accounts' });
  const find = async (userCode: string, { ip: address }: FastifyRequest, userId: string | undefined) =>
    await devices.find(userCode, { address, userId });

  route('GET', '/device', {
    operation: 'device.page',
    access: 'public',
    summary: 'The page on which people let a device sign in',
    description:
      'Asks for the code that the device shows, or, when the address has it, shows who asks, from where and for what. Works without scripts. An unknown or expired code gets 404; 30 of them from one address, or 10 of one account, within 15 minutes get 429.',
    query: UserCodeQuery,
    response: { 200: Page, 403: Page, 404: Page, 429: Page },
    handle: async ({ query: { user_code: userCode = '' }, request, reply }) => {
      if (userCode.trim() === '') return await sendPage(reply, codePage());
      try {
        const { userId, ...viewer } = await consentUsers.viewer(request);
        const pending = await find(userCode, request, userId);
        if (pending) return await sendPage(reply, consentPage(shown(pending, request), viewer));
        return await sendPage(reply.code(404), codePage(UNKNOWN));
      } catch (error) {
        return await sendPage(reply, codePage(shownProblem(reply, error)));
      }
    },
  });

  route('POST', '/device', {
    operation: 'device.decide',
    access: 'public',
    summary: 'Their decision',
    description:
      "The page's form sends this, and it must come from this server (`Origin`): otherwise 403. The device gets its key at its next question.",
    consumes: ['application/x-www-form-urlencoded'],
    query: UserCodeQuery,
    body: Decision,
    response: { 200: Page, 401: Page, 403: Page, 404: Page, 409: Page, 429: Page },
    handle: async ({ query: { user_code: userCode = '' }, body, request, reply }) => {
      let pageWith: (problem: string) => PageContent = codePage;
      try {
        requireOwnPage(request, publicUrl);
        const { userId, ...viewer } = await consentUsers.viewer(request);
        const pending = await find(userCode, request, userId);
        if (!pending) return await sendPage(reply.code(404), codePage(UNKNOWN));
        pageWith = (problem) =>
          consentPage(shown(pending, request), { ...viewer, typed: body.email }, problem);
        const isAllowed = body.decision === 'allow';
        const isDone = isAllowed
          ? await devices.allow(userCode, await consentUsers.requireUser(body, request))
          : await devices.deny(userCode);
        if (!isDone) return await sendPage(reply.code(404), codePage(UNKNOWN));
        return await sendPage(reply, isAllowed ? ALLOWED : DENIED);
      } catch (error) {
        return await sendPage(reply, pageWith(shownProblem(reply, error)));
      }
    },
  });
}

const UNKNOWN = 'This code is not known, or it has expired. Compare it with the one that your device shows.';
const ALLOWED: PageContent = {
  title: 'Your device is signed in',
  body: '<p>You can close this page and go back to your device. To end this later, delete its API key.</p>',
};
const DENIED: PageContent = {
  title: 'Denied',
  body: '<p>The device was told. You can close this page.</p>',
};

/** A wrong code is not shown again: it may come from a link that somebody else has made. */
function codePage(problem?: string): PageContent {
  return {
    title: 'Sign in a device',
    problem,
    body: `<form method="get">
<label>Code that your device shows
<input class="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus></label>
<div class="actions"><button class="primary">Continue</button></div>
</form>`,
  };
}

function shown({ address, ...asked }: PendingSignIn, { ip }: FastifyRequest) {
  const isNear = networkOf(address) === networkOf(ip);
  return {
    ...asked,
    place: `${address} (${isNear ? 'the address you are at' : 'not the address you are at'})`,
  };
}
