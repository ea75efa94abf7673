import type { ParamPattern, Span, TSSignature, TSType } from 'oxc-parser';

import { type ClientDeclarations, type Declaration, readClientDeclarations } from './client-declarations.ts';

const HEAD = `# The client library: API

Generated from the types of \`packages/sdk\` by \`npm run generate\`. [guide/library.md](guide/library.md) is the guide;
[the README of the package](../packages/sdk/README.md) shows every area in use. What the server stores or answers, such as
\`Asset\` or \`JobDetail\`, is declared in [wire.ts](../packages/sdk/src/wire.ts).
`;

/** A group of methods: \`atelier.jobs\`, or \`atelier.registry.packs\`. */
interface Area {
  readonly name: string;
  readonly about: string;
  readonly methods: readonly Method[];
}

interface Method {
  readonly name: string;
  readonly about: string;
  readonly signature: string;
}

/** docs/library-api.md: every function, area and type of the client. */
export async function renderLibraryApi(): Promise<string> {
  const declarations = await readClientDeclarations();
  const { exported } = declarations;
  const functions = exported.flatMap((one) => (isFunction(one) ? [functionOf(one)] : []));
  const areas = areasOf(declarations);
  const undocumented = [...functions, ...areas.flatMap(({ methods }) => methods)].filter(
    ({ about }) => about === '',
  );
  if (undocumented.length > 0) {
    throw new Error(`These have no comment: ${undocumented.map(({ name }) => name).join(', ')}`);
  }
  const types = exported.filter((one) => !isFunction(one)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const links = new Map(types.map(({ name }) => [name, `[${name}](#${name.toLowerCase()})`]));
  const contents = areas.map(({ name, methods }) => {
    const shown = methods.map((method) => `[${lastName(method)}](#${anchorOf(method.name)})`);
    return `| [\`${name}\`](#${anchorOf(name)}) | ${shown.join(', ')} |`;
  });
  return `${[
    HEAD,
    '| Area | Methods |\n| --- | --- |',
    ...contents,
    `\nBesides: ${functions.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(', ')}, and [types](#types).`,
    ...section('## Functions', functions, links),
    ...areas.flatMap(({ name, about, methods }) => section(`## ${name}\n\n${about}`, methods, links)),
    '\n## Types',
    ...types.map((type) => renderType(type, links)),
  ].join('\n')}\n`;
}

function areasOf(declarations: ClientDeclarations): Area[] {
  const atelier = declarations.all.get('Atelier');
  if (atelier?.node.type !== 'TSInterfaceDeclaration') throw new Error('The client has no Atelier.');
  return members(atelier, atelier.node.body.body).flatMap(({ name, about, type }) =>
    type ? areasIn({ name: `atelier.${name}`, about, type, owner: atelier }, declarations) : [],
  );
}

interface Place {
  readonly name: string;
  readonly about: string;
  readonly type: TSType;
  readonly owner: Declaration;
}

/** An area and those inside it; none when the type is that of a plain value. */
function areasIn({ name, about, type, owner }: Place, declarations: ClientDeclarations): Area[] {
  const found = signaturesOf(type, owner, declarations);
  if (!found) return [];
  const inner: Area[] = [];
  const methods: Method[] = [];
  for (const member of members(found.owner, found.signatures)) {
    const path = `${name}.${member.name}`;
    if (member.signature !== undefined) methods.push({ ...member, name: path, signature: member.signature });
    else if (member.type) {
      inner.push(
        ...areasIn({ name: path, about: member.about, type: member.type, owner: found.owner }, declarations),
      );
    }
  }
  return [
    ...(methods.length > 0 ? [{ name, about: about || found.owner.commentAbove(), methods }] : []),
    ...inner,
  ];
}

/** What an object type has, behind `ReturnType<typeof createJobs>` and names of interfaces. */
function signaturesOf(
  type: TSType,
  owner: Declaration,
  declarations: ClientDeclarations,
): { readonly owner: Declaration; readonly signatures: readonly TSSignature[] } | undefined {
  if (type.type === 'TSTypeLiteral') return { owner, signatures: type.members };
  if (type.type !== 'TSTypeReference') return undefined;
  const name = /^ReturnType<typeof (\w+)>$/.exec(owner.textOf(type))?.[1] ?? owner.textOf(type);
  const target = declarations.all.get(name);
  if (target?.node.type === 'TSInterfaceDeclaration') {
    return { owner: target, signatures: target.node.body.body };
  }
  if (!target || !isFunction(target) || !target.node.returnType) return undefined;
  return signaturesOf(target.node.returnType.typeAnnotation, target, declarations);
}

/** Methods have a signature, and everything else a type. */
function members(owner: Declaration, signatures: readonly TSSignature[]) {
  return signatures.flatMap((one) => {
    if (one.type !== 'TSPropertySignature' && one.type !== 'TSMethodSignature') return [];
    const name = owner.textOf(one.key);
    const about = owner.commentAbove(one);
    const type = one.type === 'TSPropertySignature' ? one.typeAnnotation?.typeAnnotation : undefined;
    const callable =
      one.type === 'TSMethodSignature' ? one : type?.type === 'TSFunctionType' ? type : undefined;
    return [{ name, about, type, signature: callable && signatureOf(owner, name, callable) }];
  });
}

interface Callable {
  readonly typeParameters?: Span | null | undefined;
  readonly params: readonly ParamPattern[];
  readonly returnType?: { readonly typeAnnotation: Span } | null | undefined;
}

/** As it is called: whatever is taken apart at once is shown as one parameter. */
function signatureOf(
  owner: Declaration,
  name: string,
  { typeParameters, params, returnType }: Callable,
): string {
  const shown = params.map((param) => {
    if (param.type !== 'ObjectPattern' || !param.typeAnnotation) return owner.textOf(param);
    return `options${param.optional ? '?' : ''}: ${owner.textOf(param.typeAnnotation.typeAnnotation)}`;
  });
  const types = typeParameters ? owner.textOf(typeParameters) : '';
  const result = returnType ? owner.textOf(returnType.typeAnnotation) : 'void';
  const line = `${name}${types}(${shown.join(', ')}): ${result}`;
  return line.length <= 110 || shown.length < 2
    ? line
    : `${name}${types}(\n${shown.map((one) => `  ${one.replaceAll('\n', '\n  ')},\n`).join('')}): ${result}`;
}

function isFunction(one: Declaration): one is Declaration & { node: { type: 'TSDeclareFunction' } } {
  return one.node.type === 'TSDeclareFunction';
}

function functionOf(one: Declaration & { node: { type: 'TSDeclareFunction' } }): Method {
  return { name: one.name, about: one.commentAbove(), signature: signatureOf(one, one.name, one.node) };
}

type Links = ReadonlyMap<string, string>;

function section(head: string, methods: readonly Method[], links: Links): string[] {
  return [
    `\n${head}`,
    ...methods.map(({ name, about, signature }) => {
      const see = typesIn(signature, links);
      const code = signature.replace(/^[\w.]+/, lastName({ name }));
      return `\n### ${name}\n\n${about}\n\n\`\`\`ts\n${code}\n\`\`\`${see === '' ? '' : `\n\n${see}`}`;
    }),
  ];
}

/** `CallOptions` is everywhere and said once. */
function typesIn(text: string, links: Links, except = ''): string {
  const names = new Set(text.match(/\b[A-Z]\w+/g) ?? []);
  return [...names]
    .filter((name) => name !== except && name !== 'CallOptions')
    .flatMap((name) => links.get(name) ?? [])
    .join(', ');
}

function renderType(one: Declaration, links: Links): string {
  const code = one.textOf(one.node).replace(/^declare /, '');
  const about = one.commentAbove();
  const see = typesIn(code, links, one.name);
  return [`\n### ${one.name}`, about, `\`\`\`ts\n${code}\n\`\`\``, see]
    .filter((part) => part !== '')
    .join('\n\n');
}

function lastName({ name }: Pick<Method, 'name'>): string {
  return name.split('.').at(-1) ?? name;
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll('.', '');
}
