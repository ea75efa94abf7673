import type { Input, Inputs, NodeType } from '@atelier/engine';

const HEAD = `# Node types

Generated from the declarations in \`packages/nodes\` by \`npm run generate\`. What each does is that of the host
application's node of the same name; [guide/nodes.md](guide/nodes.md) tells where and why a result may differ. Those of the
categories \`partner/…\` are our own: they call the generation routes of this server, with the key of who submits.
A question mark marks inputs that may be left out.
`;

/** docs/nodes.md: every node type of a pack with its inputs and outputs, by category. */
export function renderNodes(nodes: readonly NodeType[]): string {
  const byCategory = Map.groupBy(nodes, ({ category }) => category);
  const categories = [...byCategory.keys()].toSorted();
  const contents = categories.map((category) => {
    const links = (byCategory.get(category) ?? []).map(({ type }) => `[${type}](#${anchorOf(type)})`);
    return `| ${category} | ${links.join(', ')} |`;
  });
  const sections = categories.map((category) =>
    [`## ${category}`, ...(byCategory.get(category) ?? []).map(renderNode)].join('\n\n'),
  );
  const table = ['| Category | Node types |', '| --- | --- |', ...contents].join('\n');
  return `${[HEAD, `${nodes.length} node types.`, table, ...sections].join('\n\n')}\n`;
}

function anchorOf(type: string): string {
  return type.toLowerCase().replaceAll(' ', '-');
}

function renderNode(node: NodeType): string {
  const flags = [
    node.outputNode && 'output node',
    node.inputIsList && 'takes lists',
    node.async && 'waits outside',
    node.apiNode && 'API node',
    node.experimental && 'experimental',
    node.deprecated && 'deprecated',
  ].filter((flag) => typeof flag === 'string');
  const title = node.title === node.type ? '' : `**${node.title}**`;
  const about = [title, flags.length > 0 ? `_${flags.join(', ')}_` : '']
    .filter((part) => part !== '')
    .join(' · ');
  const rows = inputRows(node.inputs, '');
  const inputs =
    rows.length > 0
      ? ['| Input | Type | Default | Allowed | |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
      : 'No inputs.';
  const outputs = node.outputs.map(({ socket, name, isList }) => {
    const label = name === socket ? `\`${socket}\`` : `\`${name}\` (${socket})`;
    return isList ? `${label}, a list` : label;
  });
  return [
    `### ${node.type}`,
    about,
    node.description,
    inputs,
    outputs.length > 0 ? `Outputs: ${outputs.join('; ')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function inputRows(inputs: Inputs, prefix: string): string[] {
  return Object.entries(inputs).flatMap(([key, input]) => {
    const name = `${prefix}${key}`;
    const row = `| \`${name}\`${input.optional ? '?' : ''} | ${typeOf(input)} | ${defaultOf(input)} | ${allowedOf(input)} | ${cell(input.options.tooltip ?? '')} |`;
    if (input.kind !== 'dynamicCombo') return [row];
    const further = Object.entries(input.choices).flatMap(([choice, own]) =>
      inputRows(own, `${name}.`).map((line) => line.replace('| `', `| _${choice}_ \``)),
    );
    return [row, ...further];
  });
}

function typeOf(input: Input): string {
  switch (input.kind) {
    case 'int':
      return 'INT';
    case 'float':
      return 'FLOAT';
    case 'string':
      return 'STRING';
    case 'boolean':
      return 'BOOLEAN';
    case 'combo':
    case 'dynamicCombo':
      return 'COMBO';
    case 'link':
      return cell(input.socket);
    case 'autogrow':
      return `${typeOf(input.item)}, several`;
    case 'matchType':
      return `any of ${cell(input.allowed)}`;
  }
}

function defaultOf(input: Input): string {
  if (input.kind === 'combo' && input.options.default === undefined) {
    return 'folder' in input.choices ? '' : cell(String(input.choices[0] ?? ''));
  }
  const value = 'default' in input.options ? input.options.default : undefined;
  return value === undefined || value === ''
    ? ''
    : cell(typeof value === 'string' ? value : JSON.stringify(value));
}

function allowedOf(input: Input): string {
  if (input.kind === 'int' || input.kind === 'float') {
    const { min, max } = input.options;
    return min === undefined && max === undefined ? '' : `${min ?? '…'} to ${max ?? '…'}`;
  }
  if (input.kind === 'combo') {
    return 'folder' in input.choices || input.options.image_upload
      ? 'a file'
      : cell(input.choices.join(', '));
  }
  if (input.kind === 'dynamicCombo') return cell(Object.keys(input.choices).join(', '));
  if (input.kind === 'autogrow') return `${input.min} to ${input.names.length}: ${nameRange(input.names)}`;
  return '';
}

function nameRange(names: readonly string[]): string {
  return names.length > 3 ? `${names[0]} … ${names.at(-1)}` : names.join(', ');
}

/** Within a table a bar would end the cell, and a line break the table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
