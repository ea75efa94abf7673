import type { Pack } from '@atelier/sdk';
import type { ReactNode } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Facts } from '../../ui/facts.tsx';
import { externalLink } from '../../ui/markdown/external-link.ts';
import { RelativeTime } from '../../ui/times.tsx';
import { licenseName } from './license-name.ts';
import { OptionalLink } from './optional-link.tsx';

export function PackFacts({ pack }: { readonly pack: Pack }) {
  const { registry } = useMessages();
  const format = useFormat();
  const { latest_version: latest } = pack;
  const facts: [name: string, value: ReactNode][] = [];
  const add = (name: string, value: ReactNode) => {
    if (value !== undefined && value !== '') facts.push([name, value]);
  };
  add(registry.latestVersion, latest && <span className="font-mono text-12">{latest.version}</span>);
  add(registry.published, latest && <RelativeTime at={latest.createdAt} />);
  add(registry.author, pack.author);
  add(registry.license, licenseName(pack.license));
  add(registry.repository, pack.repository && <OptionalLink address={pack.repository} />);
  if (pack.github_stars > 0) add(registry.githubStars, format.number(pack.github_stars));
  add(registry.systems, pack.supported_os?.join(', '));
  add(registry.accelerators, pack.supported_accelerators?.join(', '));
  add('ComfyUI', pack.supported_comfyui_version);
  add(registry.frontend, pack.supported_comfyui_frontend_version);
  add(
    registry.needs,
    latest && latest.dependencies.length > 0 && <Dependencies names={latest.dependencies} />,
  );
  add(registry.created, <RelativeTime at={pack.created_at} />);
  const icon = externalLink(pack.icon);
  add(registry.icon, icon && <OptionalLink address={icon} />);
  return (
    <section aria-label={registry.about}>
      <h2 className="mb-3 text-14 font-semibold">{registry.about}</h2>
      <Facts facts={facts} />
    </section>
  );
}

function Dependencies({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="font-mono text-12">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}
        </li>
      ))}
    </ul>
  );
}
