/** Public clients send a license as JSON text, such as `{"text": "MIT"}` or `{"file": "LICENSE"}`. */
export function licenseName(license: string | undefined): string | undefined {
  if (license === undefined || !license.startsWith('{')) return license;
  try {
    const { text, file } = JSON.parse(license) as { text?: unknown; file?: unknown };
    return [text, file].find((value) => typeof value === 'string');
  } catch {
    return license;
  }
}
