import type { Asset } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CopyIcon, ShortId } from '../../ui/copy.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Skeleton } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { kindOf, mayHaveWorkflow } from './asset-facts.ts';
import { recipeOf } from './recipe-of.ts';
import { ownTags, TagDialog } from './tag-dialog.tsx';

/** How a file was made, and its details. */
export function InfoPanel({ asset }: { readonly asset: Asset }) {
  const { gallery } = useMessages();
  const format = useFormat();
  const [isTagging, setTagging] = useState(false);
  const tags = ownTags(asset);
  const kind = kindOf(asset);
  return (
    <aside
      aria-label={gallery.info}
      className="scroll-quiet flex max-h-[45dvh] w-full shrink-0 flex-col gap-5 overflow-y-auto border-line bg-surface p-4 max-md:border-t md:max-h-none md:w-80 md:border-l"
    >
      {asset.job_id !== undefined && <Recipe jobId={asset.job_id} />}
      {asset.job_id === undefined && mayHaveWorkflow(asset) && (
        <ButtonLink to="/workflows/open" search={{ asset: asset.id }}>
          {gallery.openWorkflow}
        </ButtonLink>
      )}
      <section>
        <div className="mb-2 flex items-center justify-between">
          <h2 className="text-13 font-semibold">{gallery.tags}</h2>
          <Button
            look="quiet"
            size="sm"
            icon={<Tag size={14} aria-hidden />}
            onClick={() => setTagging(true)}
          >
            {gallery.editTags}
          </Button>
        </div>
        {tags.length === 0 ? (
          <p className="text-13 text-muted">{gallery.noTags}</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag} className="max-w-full">
                <Link
                  to="/gallery"
                  search={{ tag }}
                  className="block truncate rounded-full border border-line px-2.5 py-0.5 text-13 hover:bg-hover"
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <TagDialog assets={isTagging ? [asset] : []} onClose={() => setTagging(false)} />
      </section>
      <section>
        <h2 className="mb-2 text-13 font-semibold">{gallery.file}</h2>
        <Facts>
          <Fact label={gallery.kind}>{asset.mime_type ?? gallery.kinds[kind]}</Fact>
          {asset.width !== undefined && asset.height !== undefined && (
            <Fact label={gallery.dimensions}>{`${asset.width} × ${asset.height}`}</Fact>
          )}
          {asset.size !== undefined && <Fact label={gallery.size}>{format.bytes(asset.size)}</Fact>}
          <Fact label={gallery.created}>
            <RelativeTime at={asset.created_at} />
          </Fact>
          <Fact label={gallery.id}>
            <ShortId id={asset.id} />
          </Fact>
        </Facts>
      </section>
    </aside>
  );
}

function Recipe({ jobId }: { readonly jobId: string }) {
  const { gallery } = useMessages();
  const { data: job, error } = useQuery({
    queryKey: ['job', jobId],
    queryFn: async ({ signal }) => await atelier.jobs.get(jobId, { signal }),
  });
  const recipe = useMemo(() => job && recipeOf(job.workflow.prompt), [job]);
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-13 font-semibold">{gallery.recipe}</h2>
      {error !== null && <p className="text-13 text-muted">{sentenceOf(error)}</p>}
      {!job && error === null && <Skeleton className="h-24" />}
      {recipe && (
        <>
          {recipe.prompts.map(({ isNegative, text }) => (
            <div key={`${isNegative} ${text}`}>
              <div className="flex items-center justify-between">
                <h3 className="text-12 text-muted">{isNegative ? gallery.negativePrompt : gallery.prompt}</h3>
                <CopyIcon text={text} />
              </div>
              <p
                className="scroll-quiet max-h-40 overflow-y-auto text-13 whitespace-pre-wrap wrap-anywhere"
                tabIndex={0}
              >
                {text}
              </p>
            </div>
          ))}
          <Facts>
            {recipe.seeds.map((seed) => (
              <Fact key={seed} label={gallery.seed}>
                <span className="tabular-nums">{seed}</span>
              </Fact>
            ))}
            {recipe.models.map((model) => (
              <Fact key={model} label={gallery.model}>
                {model}
              </Fact>
            ))}
            {recipe.settings.map(([name, value]) => (
              <Fact key={name} label={name}>
                {value}
              </Fact>
            ))}
            <Fact label={gallery.workflow}>
              <Link to="/jobs/$jobId" params={{ jobId }} className="text-accent hover:underline">
                {job?.workflow_name ?? gallery.jobBehind}
              </Link>
            </Fact>
          </Facts>
          <ButtonLink look="primary" to="/workflows/open" search={{ job: jobId }}>
            {gallery.runAgain}
          </ButtonLink>
        </>
      )}
    </section>
  );
}

const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-13">{children}</dl>
);

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </>
  );
}
