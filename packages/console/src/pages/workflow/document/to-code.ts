import { toExactJson } from '@atelier/sdk';

import { isObject } from './json.ts';

export type CodeLanguage = 'json' | 'curl' | 'typescript' | 'python';

interface Run {
  /** In the API format, as submitted. */
  readonly prompt: unknown;
  readonly serverUrl: string;
}

/** Programs that run exactly this workflow on this server. The key comes from the environment and is never in the text. */
export function toCode(language: CodeLanguage, run: Run): string {
  return WRITERS[language](run);
}

const WRITERS: Readonly<Record<CodeLanguage, (run: Run) => string>> = {
  json: ({ prompt }) => toExactJson(prompt, 2),
  // In a quoted here-document the shell interprets nothing but the end marker, which is never a line of JSON.
  curl: ({ prompt, serverUrl }) => `curl ${shellText(`${serverUrl}/api/prompt`)} \\
  --header "X-API-Key: $ATELIER_API_KEY" \\
  --header 'Content-Type: application/json' \\
  --data @- <<'JSON'
${toExactJson({ prompt }, 2)}
JSON
`,
  typescript: ({ prompt, serverUrl }) => `import { createAtelier } from '@atelier/sdk';

// The key comes from ATELIER_API_KEY.
const atelier = createAtelier({ url: ${JSON.stringify(serverUrl)} });

const workflow = ${literal(prompt, TYPESCRIPT)};

const { outputs } = await atelier.jobs.run(workflow);
for (const output of outputs) await output.saveTo('outputs/');
`,
  python: ({ prompt, serverUrl }) => `import os
import requests

SERVER = ${JSON.stringify(serverUrl)}
KEY = {"X-API-Key": os.environ["ATELIER_API_KEY"]}

workflow = ${literal(prompt, PYTHON)}

job = requests.post(f"{SERVER}/api/prompt", params={"wait": 300}, headers=KEY, json={"prompt": workflow})
job.raise_for_status()
job_id = job.json()["prompt_id"]

assets = requests.get(f"{SERVER}/api/jobs/{job_id}/assets", headers=KEY).json()["assets"]
for asset in assets:
    with open(asset["name"], "wb") as file:
        file.write(requests.get(asset["preview_url"]).content)
`,
};

function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Words {
  readonly true: string;
  readonly false: string;
  readonly null: string;
  readonly indent: string;
  /** The suffix of an integer that the language's number type cannot hold. */
  readonly big: string;
}

const TYPESCRIPT: Words = { true: 'true', false: 'false', null: 'null', indent: '  ', big: 'n' };
const PYTHON: Words = { true: 'True', false: 'False', null: 'None', indent: '    ', big: '' };

/** A value as source code. JSON strings are valid strings in both languages. */
function literal(value: unknown, words: Words, depth = 0): string {
  const inner = words.indent.repeat(depth + 1);
  const end = words.indent.repeat(depth);
  if (typeof value === 'bigint') return `${value}${words.big}`;
  if (typeof value === 'boolean') return value ? words.true : words.false;
  if (value === null || value === undefined) return words.null;
  if (Array.isArray(value)) {
    const parts = value.map((part) => literal(part, words, depth + 1));
    const line = `[${parts.join(', ')}]`;
    return line.length <= 80 && !line.includes('\n')
      ? line
      : `[\n${parts.map((part) => `${inner}${part},\n`).join('')}${end}]`;
  }
  if (isObject(value)) {
    const parts = Object.entries(value).map(
      ([key, part]) => `${inner}${JSON.stringify(key)}: ${literal(part, words, depth + 1)},\n`,
    );
    return parts.length === 0 ? '{}' : `{\n${parts.join('')}${end}}`;
  }
  return JSON.stringify(value);
}
