/** Where the content of a value may come from; a set of bits. */
export const FROM = { network: 1, decoding: 2, socket: 4, pack: 8, environment: 16 } as const;

/** Libraries whose calls bring something from the network. */
const NETWORK =
  /^(?:requests|httpx|aiohttp|urllib3|urllib2|urllib\.request|http\.client|pycurl|ftplib|paramiko|websockets?)\.|^(?:urllib\.(?:urlopen|urlretrieve)|wget\.download|gdown\.download|torch\.hub\.download_url_to_file)$/;

/** Functions that make one text or bytes from another that cannot be read. */
const DECODING = new Set([
  'base64.a85decode',
  'base64.b16decode',
  'base64.b32decode',
  'base64.b64decode',
  'base64.b85decode',
  'base64.decodebytes',
  'base64.standard_b64decode',
  'base64.urlsafe_b64decode',
  'binascii.a2b_base64',
  'binascii.a2b_hex',
  'binascii.unhexlify',
  'builtins.bytearray.fromhex',
  'builtins.bytes.fromhex',
  'bz2.decompress',
  'codecs.decode',
  'gzip.decompress',
  'lzma.decompress',
  'marshal.load',
  'marshal.loads',
  'zlib.decompress',
  'zlib.decompressobj',
]);

export function sourceFlags(origin: string): number {
  if (DECODING.has(origin)) return FROM.decoding;
  if (origin === 'socket.socket' || origin === 'socket.create_connection') return FROM.socket;
  return NETWORK.test(origin) ? FROM.network : 0;
}

export function isDecoding(origin: string): boolean {
  return DECODING.has(origin);
}

/** Functions that bring a whole repository of code. */
const CLONING = new Set([
  'git.Repo.clone_from',
  'git.repo.Repo.clone_from',
  'git.repo.base.Repo.clone_from',
  'pygit2.clone_repository',
  'dulwich.porcelain.clone',
]);

export function isCloning(origin: string): boolean {
  return CLONING.has(origin);
}

export function isNetwork(origin: string): boolean {
  return NETWORK.test(origin);
}
