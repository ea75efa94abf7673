export interface PageParts {
  readonly clientName: string;
  readonly email: string | undefined;
  readonly problem?: string;
}

/** Small enough to need nothing but itself. The form goes back to the address of the page, with its parameters. */
export function renderPage({ clientName, email, problem }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in · Atelier</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 15vh auto; padding: 0 1rem; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
  input, button { margin: .25rem 0 1rem; padding: .5rem; }
</style>
<h1>Atelier</h1>
<p><b>${escape(clientName)}</b> on this computer wants to use your account.</p>
${problem === undefined ? '' : `<p role="alert"><b>${escape(problem)}</b></p>`}
<form method="post">
${email === undefined ? PASSWORD_FIELDS : `<p>You are signed in as ${escape(email)}.</p>`}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>
</html>
`;
}

const PASSWORD_FIELDS = `<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`;

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
