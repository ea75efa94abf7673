import { Settings } from '../packages/server/src/config/settings.ts';

interface Setting {
  readonly name: string;
  readonly description: string;
  readonly expects: string;
  readonly default?: string | number;
}

function settings(): Setting[] {
  return Object.entries(Settings.properties as Record<string, object>).map(
    ([name, schema]) => ({ name, ...schema }) as Setting,
  );
}

export function renderConfiguration(): string {
  const rows = settings().map(
    ({ name, description, expects, default: value }) =>
      `| \`${name}\` | ${value === undefined ? '' : `\`${String(value)}\``} | ${expects} | ${description} |`,
  );
  return `<!-- Made by "npm run generate" from packages/server/src/config/settings.ts. Do not edit. -->
# Settings

Atelier reads environment variables, and a file \`.env\` in the folder it is started from, where a variable that
is already set wins. Blank means not set. Every mistake is reported at once and the server exits with 2.

| Variable | Default | Takes | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

export function renderEnvExample(): string {
  const entries = settings().map(
    ({ name, description, expects, default: value }) =>
      `# ${description.replaceAll('`', '')}\n# Takes ${expects.replaceAll('`', '')}.\n#${name}=${value === undefined ? '' : String(value)}\n`,
  );
  return `# Copy to .env and uncomment what should differ. Made by "npm run generate".\n\n${entries.join('\n')}`;
}
