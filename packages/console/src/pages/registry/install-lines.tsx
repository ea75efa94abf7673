import type { Pack, PackVersion } from '@atelier/sdk';

import { useMessages } from '../../i18n/i18n.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Panel } from '../../ui/page.tsx';

/** Commands that install the shown version. */
export function InstallLines({ pack, version }: { readonly pack: Pack; readonly version: PackVersion }) {
  const { registry } = useMessages();
  const { id, latest_version: latest } = pack;
  if (version.downloadUrl === undefined) return null;
  const isLatest = version.version === latest?.version;
  const lines = [
    ['Atelier', `atelier packs install ${id}${isLatest ? '' : `@${version.version}`} --into ComfyUI`],
    [
      'comfy-cli',
      // That client supports only one private address: port 8080 on its own machine.
      `ENVIRONMENT=dev comfy node registry-install ${id}${isLatest ? '' : ` --version ${version.version}`}`,
    ],
  ] as const;
  return (
    <section aria-label={registry.install}>
      <Panel>
        {lines.map(([client, line]) => (
          <div
            key={client}
            className="flex items-center gap-3 border-b border-line py-1 pr-1.5 pl-3 last:border-b-0"
          >
            <span className="w-16 shrink-0 text-12 text-muted">{client}</span>
            <code className="min-w-0 grow font-mono text-12 wrap-anywhere">{line}</code>
            <CopyIcon text={line} label={registry.copyLine(client)} />
          </div>
        ))}
      </Panel>
      <p className="mt-1 text-12 text-muted">{registry.comfyCliHint}</p>
    </section>
  );
}
