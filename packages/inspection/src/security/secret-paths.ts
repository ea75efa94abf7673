/** Paths, or parts of paths, of keys, passwords, cookies and wallets. */
const PLACES = [
  /(?:^|[\\/~])\.(?:ssh|gnupg|aws|azure|kube|netrc|git-credentials|pgpass|npmrc|pypirc|docker|bash_history|zsh_history|electrum|bitcoin|ethereum|metamask)(?:[\\/]|$)/i,
  /(?:^|[\\/])id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^\/etc\/(?:passwd|shadow|sudoers)$/,
  /(?:^|[\\/])(?:Login Data|Local State|logins\.json|key[34]\.db|cookies\.sqlite|wallet\.dat|Web Data)$/i,
  /(?:Google[\\/]+Chrome|BraveSoftware|Microsoft[\\/]+Edge|Chromium)[\\/]+.*(?:User Data|Default|Cookies)/i,
  /(?:Mozilla[\\/]+Firefox|\.mozilla[\\/]+firefox)/i,
  /(?:discord(?:canary|ptb)?|Telegram Desktop|Exodus|Electrum)[\\/]+(?:Local Storage|tdata|exodus\.wallet|wallets)/i,
  /(?:^|[\\/])(?:\.cache[\\/]+huggingface|\.huggingface)[\\/]+token$/,
  /(?:^|[\\/])Library[\\/]+Keychains(?:[\\/]|$)/,
];
const MAX_LENGTH = 300;

/** Whether a text is such a path, and not prose that mentions one. */
export function isSecretPath(text: string): boolean {
  if (text.length > MAX_LENGTH || text.includes('\n')) return false;
  if (/[,;!?] |\. [A-Z]|\b(?:the|your|from|and|with)\b/.test(text)) return false;
  return PLACES.some((place) => place.test(text));
}
