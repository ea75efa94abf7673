import { SCOPE_MEANINGS, type Scope } from '@atelier/contracts';
import { escapeHtml, type PageContent } from '../sign-in/sign-in-page.ts';
import { findClient } from './oauth-clients.ts';

interface Asked {
  readonly clientId: string;
  readonly deviceName: string | undefined;
  /** Absent: everything. */
  readonly scopes: readonly Scope[] | undefined;
  /** From where, in words. */
  readonly place: string;
  /** Shown by the device too, for people to compare. */
  readonly userCode?: string;
}

export interface Viewer {
  readonly email: string | undefined;
  /** Host of the outside issuer. */
  readonly issuer: string | undefined;
  /** The outside issuer and a link there that leads back to this page, if people can sign in there in a browser. */
  readonly outside: { readonly name: string; readonly href: string } | undefined;
  /** The e-mail address that was typed with a wrong password. */
  readonly typed?: string | undefined;
}

/** Shows who asks, from where and for what. The form posts to the address of the page. */
export function consentPage(asked: Asked, viewer: Viewer, problem?: string): PageContent {
  const name = findClient(asked.clientId)?.name ?? asked.clientId;
  const { deviceName, scopes, place, userCode } = asked;
  const code =
    userCode === undefined ? '' : fact('Code', `<span class="code">${escapeHtml(userCode)}</span>`);
  const device = deviceName === undefined ? '' : fact('Device', escapeHtml(deviceName));
  const list = scopes?.map((scope) => `<li>${escapeHtml(SCOPE_MEANINGS[scope])}</li>`).join('');
  const advice =
    userCode === undefined
      ? ''
      : '<p class="muted">Allow this only if you have started it yourself and your device shows the same code.</p>';
  return {
    title: `Let ${name} use your account?`,
    problem,
    body: `<dl>
${code}
${fact('Program', escapeHtml(name))}
${device}
${fact('Asks from', escapeHtml(place))}
${fact('It may', list === undefined ? 'Do everything that you can do' : `<ul>${list}</ul>`)}
</dl>
${advice}
<form method="post">
${viewer.email === undefined ? signInFields(viewer) : signedIn(viewer.email, viewer)}
<div class="actions">
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
</form>`,
  };
}

function fact(term: string, html: string): string {
  return `<div><dt>${term}</dt><dd>${html}</dd></div>`;
}

function signedIn(email: string, viewer: Viewer): string {
  return `<p>You are signed in as <b>${escapeHtml(email)}</b>.</p>
<details><summary>Use another account</summary>${signInFields(viewer)}</details>`;
}

/** People of an outside issuer have no password here. If the server cannot send them there, they paste a token. */
function signInFields(viewer: Viewer): string {
  const { email, issuer, typed = '' } = viewer;
  const required = email === undefined && issuer === undefined ? ' required' : '';
  return `<label>E-mail <input name="email" type="email" autocomplete="username" value="${escapeHtml(typed)}"${required}></label>
<label>Password <input name="password" type="password" autocomplete="current-password"${required}></label>
${outsideSignIn(viewer)}`;
}

function outsideSignIn({ issuer, outside }: Viewer): string {
  if (outside) {
    return `<p><a href="${escapeHtml(outside.href)}">Sign in with ${escapeHtml(outside.name)}</a></p>`;
  }
  if (issuer === undefined) return '';
  return `<details><summary>Sign in with a token of ${escapeHtml(issuer)}</summary>
<label>Access token <input name="token" type="password" autocomplete="off"></label></details>`;
}
