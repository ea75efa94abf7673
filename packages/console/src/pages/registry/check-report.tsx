import { type CheckReport, checkReportOf, type PackVersion } from '@atelier/sdk';
import { Info } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { CopyIcon } from '../../ui/copy.tsx';

/** Why a version is in its state: reasons written by people and findings of the checks, with file and line. */
export function VersionReasons({ version }: { readonly version: PackVersion }) {
  const report = checkReportOf(version);
  const { status_reason: reason } = version;
  // Until a decision is made, the reason field contains the report.
  const isSentence = reason !== undefined && !reason.startsWith('{');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isSentence && <p className="text-13 whitespace-pre-wrap wrap-anywhere">{reason}</p>}
      {report && <Findings report={report} />}
    </div>
  );
}

function Findings({ report: { findings, total, notes } }: { readonly report: CheckReport }) {
  const { registry } = useMessages();
  const format = useFormat();
  const count = total ?? findings.length;
  return (
    <>
      <p className="text-13 font-medium">
        {registry.findings(count, format.number(count))}
        {count > findings.length && ` ${registry.findingsShown(findings.length)}`}
      </p>
      <ul className="flex min-w-0 flex-col gap-3">
        {findings.map((finding, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they have no other key and do not move.
          <li key={index} className="min-w-0 text-13">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2">
              <span
                className={cx(
                  'rounded-sm border px-1.5 text-12 font-medium',
                  finding.severity === 'high'
                    ? 'border-failed/60 text-failed'
                    : 'border-waiting/60 text-waiting',
                )}
              >
                {registry.severities[finding.severity] ?? finding.severity}
              </span>
              <code className="font-mono text-12 font-medium wrap-anywhere">
                {finding.file}:{finding.line}
              </code>
              <CopyIcon text={`${finding.file}:${finding.line}`} />
              <span className="text-12 text-muted">{finding.rule}</span>
            </div>
            <p className="wrap-anywhere">{finding.explanation}</p>
            <pre className="mt-1 overflow-hidden rounded-sm bg-hover/70 px-2 py-1 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
              {finding.excerpt}
            </pre>
          </li>
        ))}
      </ul>
      {notes?.map((note) => (
        <p key={String(note)} className="flex gap-2 text-13 text-muted wrap-anywhere">
          <Info size={14} aria-hidden className="mt-0.5 shrink-0" />
          {String(note)}
        </p>
      ))}
    </>
  );
}
