import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';

export const CLIENT = 'atelier-cli';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Behind `ATELIER_TRUST_PROXY=127.0.0.1` every test has an address of its own, as limits count by address. */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

type Fields = Readonly<Record<string, string>>;

export interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface TokenAnswer {
  readonly access_token?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly error?: string;
  readonly error_description?: string;
}

interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What a program sends that signs in, and what a browser sends that shows its pages. */
export function signInAt(url: string, address = anAddress()) {
  const forwarded = { 'x-forwarded-for': address };
  const send = async <Body>(path: string, fields: Fields, headers: Fields = {}): Promise<Answer<Body>> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...forwarded, ...headers },
      body: new URLSearchParams(fields),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const { status } = answer;
    return { status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  };

  return {
    address,
    async ask(fields: Fields = {}): Promise<Answer<DeviceAuthorization & TokenAnswer>> {
      return await send('/oauth/device_authorization', { client_id: CLIENT, ...fields });
    },
    async begin(fields: Fields = {}): Promise<DeviceAuthorization> {
      const { status, body } = await this.ask(fields);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    async token(fields: Fields): Promise<Answer<TokenAnswer>> {
      return await send('/oauth/token', { client_id: CLIENT, ...fields });
    },
    async poll({ device_code }: DeviceAuthorization): Promise<Answer<TokenAnswer>> {
      return await this.token({ grant_type: DEVICE_GRANT, device_code });
    },
    /** The page as it is seen, by the owner of a session too. */
    async page(
      path: string,
      headers: Fields = {},
    ): Promise<{ status: number; headers: Headers; html: string }> {
      const answer = await fetch(url + path, { headers: { ...forwarded, ...headers }, redirect: 'manual' });
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    },
    async decide(
      { user_code }: Pick<DeviceAuthorization, 'user_code'>,
      fields: Fields,
      headers: Fields = {},
    ): Promise<Answer<string>> {
      const path = `/device?${new URLSearchParams({ user_code })}`;
      return await send(path, fields, { origin: url, ...headers });
    },
    send,
  };
}
