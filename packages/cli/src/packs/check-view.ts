import type { CheckReport, PackVersion } from '@atelier/sdk';

import { formatBytes } from '../output/formats.ts';
import { plainLine, plainText } from '../output/plain-text.ts';

/** The result of an offline check, as returned by `@atelier/packing`. */
export interface CheckView {
  readonly pack?: {
    readonly project: {
      readonly publisherId: string;
      readonly nodeId: string;
      readonly nodeVersion: { readonly version: string };
    };
    readonly archive: Uint8Array;
    readonly checksum: string;
    readonly files: readonly { readonly path: string; readonly bytes: number }[];
    readonly leftOut: readonly { readonly path: string; readonly why: string }[];
    readonly warnings: readonly string[];
  };
  readonly report: Pick<PackVersion, 'status' | 'status_reason'> & {
    readonly comfy_nodes: readonly { readonly comfy_node_name: string; readonly category?: string }[];
  };
  readonly inspection:
    | { readonly verdict: 'unusable'; readonly reason: string }
    | {
        readonly verdict: 'clean' | 'suspicious';
        readonly findings: CheckReport['findings'];
        readonly findingCount: number;
        readonly notes: readonly string[];
      };
}

const MAX_SHOWN = 50;

/** For programs. */
export function checkToJson({ pack, report, inspection }: CheckView): object {
  const isUsable = inspection.verdict !== 'unusable';
  return {
    verdict: inspection.verdict,
    status: report.status,
    ...(!isUsable && { reason: inspection.reason }),
    findings: isUsable ? inspection.findings : [],
    total_findings: isUsable ? inspection.findingCount : 0,
    notes: isUsable ? inspection.notes : [],
    nodes: report.comfy_nodes,
    ...(pack && {
      pack: {
        publisher: pack.project.publisherId,
        id: pack.project.nodeId,
        version: pack.project.nodeVersion.version,
        bytes: pack.archive.length,
        checksum: pack.checksum,
        files: pack.files,
        left_out: pack.leftOut,
        warnings: pack.warnings,
      },
    }),
  };
}

/** For people. */
export function renderCheck({ pack, report, inspection }: CheckView): string {
  const nodes = report.comfy_nodes.map(
    ({ comfy_node_name: name, category }) =>
      `  ${plainLine(name)}${category ? ` (${plainLine(category)})` : ''}`,
  );
  return [
    ...(pack ? renderPack(pack) : []),
    ...(nodes.length > 0 ? ['Node types:', ...atMost(nodes)] : ['No node types were found.']),
    ...(inspection.verdict === 'unusable'
      ? []
      : [...inspection.notes.map((note) => `Note: ${plainLine(note)}`), ...renderFindings(inspection)]),
    verdictOf(inspection),
  ].join('\n');
}

function renderPack(pack: NonNullable<CheckView['pack']>): string[] {
  const { project, files, leftOut, warnings, archive } = pack;
  const { nodeId, publisherId, nodeVersion } = project;
  return [
    `${nodeId} ${nodeVersion.version} of ${publisherId}: ${files.length} files, ${formatBytes(archive.length)} packed`,
    ...atMost(files.map(({ path, bytes }) => `  ${plainLine(path)}  ${formatBytes(bytes)}`)),
    ...(leftOut.length > 0 ? ['Left out:'] : []),
    ...atMost(leftOut.map(({ path, why }) => `  ${plainLine(path)}  ${why}`)),
    ...warnings.map((warning) => `Warning: ${plainLine(warning)}`),
  ];
}

/** With file and line, in the format that editors open. */
export function renderFindings({
  findings,
  findingCount,
}: Pick<CheckReport, 'findings'> & { readonly findingCount: number }): string[] {
  if (findings.length === 0) return [];
  const lines = findings
    .slice(0, MAX_SHOWN)
    .flatMap(({ severity, file, line, explanation, excerpt, rule }) => [
      `  ${plainLine(file)}:${line}  ${plainLine(severity)}: ${plainLine(explanation)} (${plainLine(rule)})`,
      `    ${plainText(excerpt).split('\n', 1)[0] ?? ''}`,
    ]);
  const more = findingCount - Math.min(MAX_SHOWN, findings.length);
  return ['Findings:', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function verdictOf(inspection: CheckView['inspection']): string {
  if (inspection.verdict === 'unusable') return `A server would refuse it: ${plainLine(inspection.reason)}`;
  return inspection.verdict === 'clean'
    ? 'Nothing was found. A server would accept it.'
    : 'A server would flag it: it could be installed by its number only, until a person has looked at it.';
}

function atMost(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_SHOWN;
  return more > 0 ? [...lines.slice(0, MAX_SHOWN), `  and ${more} more`] : lines;
}
