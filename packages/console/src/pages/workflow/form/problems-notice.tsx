import { Link } from '@tanstack/react-router';
import { CircleAlert, PackageSearch } from 'lucide-react';
import { useMemo } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import type { Problem } from '../document/find-problems.ts';
import { findFormInputs } from '../document/form-inputs.ts';
import { useWorkflowModel } from '../workflow-model.ts';

/** What is missing before the run, and afterwards the server's problems that no field shows. */
export function ProblemsNotice() {
  const { workflow: texts } = useMessages();
  const { problems, failure, nodeOf, json, nodes } = useWorkflowModel();
  const fields = useMemo(
    () => new Set(findFormInputs(json, nodes).main.map(({ key }) => key)),
    [json, nodes],
  );
  const types = [...new Set(problems.filter(({ kind }) => kind === 'missing-type').map(({ text }) => text))];
  const models = problems.filter(({ kind }) => kind === 'missing-model');
  const refused = problems.filter(({ kind }) => kind === 'refused' || kind === 'failed');
  const others = refused.filter(({ nodeId, input }) => !fields.has(`${nodeId}.${input}`));
  const titleOf = ({ nodeId }: Problem) => nodeOf(nodeId)?.title ?? nodeId;
  return (
    <>
      {types.length > 0 && (
        <Notice title={texts.missingTypes}>
          {types.map((type) => (
            <li key={type}>
              <Link
                to="/registry"
                search={{ q: type }}
                aria-label={texts.findInRegistry(type)}
                className="inline-flex items-center gap-1.5 font-mono text-12 wrap-anywhere underline-offset-2 hover:underline"
              >
                {type}
                <PackageSearch size={13} aria-hidden className="shrink-0" />
              </Link>
            </li>
          ))}
        </Notice>
      )}
      {models.length > 0 && (
        <Notice title={texts.missingModels}>
          {models.map((problem) => (
            <li key={`${problem.nodeId}.${problem.input}`} className="wrap-anywhere">
              <span className="font-mono text-12">{problem.text}</span>{' '}
              <span className="text-muted">· {titleOf(problem)}</span>
            </li>
          ))}
        </Notice>
      )}
      {(failure !== undefined || others.length > 0) && (
        <Notice title={failure ?? texts.problems} isAlert>
          {others.map((problem) => (
            <li key={`${problem.nodeId}.${problem.input}.${problem.text}`} className="wrap-anywhere">
              <span className="font-medium">{titleOf(problem)}</span>: {problem.text}
            </li>
          ))}
        </Notice>
      )}
    </>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly isAlert?: boolean;
  readonly children: React.ReactNode;
}

function Notice({ title, isAlert = false, children }: NoticeProps) {
  return (
    <div
      role={isAlert ? 'alert' : 'note'}
      className="scroll-quiet max-h-48 overflow-y-auto rounded-md border border-failed/50 bg-failed-soft px-3 py-2 text-13"
    >
      <p className="flex items-start gap-2 font-medium text-failed">
        <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 pl-6 empty:hidden">{children}</ul>
    </div>
  );
}
