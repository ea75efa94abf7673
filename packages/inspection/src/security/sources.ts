/** The possible sources of a value; a set of bits. */
export const FROM = { network: 1, decoding: 2, socket: 4, pack: 8, environment: 16 } as const;

/** Libraries whose calls read from the network. */
export const NETWORK =
  /^(?:requests|httpx|aiohttp|urllib3|urllib2|urllib\.request|http\.client|pycurl|ftplib|paramiko|websockets?)\.|^(?:urllib\.(?:urlopen|urlretrieve)|wget\.download|gdown\.download|torch\.hub\.download_url_to_file)$/;

/** Functions that decode unreadable text or bytes. */
export const DECODING =
  /^(?:base64\.(?:(?:a85|b16|b32|b64|b85|standard_b64|urlsafe_b64)decode|decodebytes)|binascii\.(?:a2b_base64|a2b_hex|unhexlify)|builtins\.(?:bytes|bytearray)\.fromhex|(?:bz2|gzip|lzma)\.decompress|codecs\.decode|marshal\.loads?|zlib\.(?:decompress|decompressobj))$/;

export function sourceFlags(origin: string): number {
  if (DECODING.test(origin)) return FROM.decoding;
  if (origin === 'socket.socket' || origin === 'socket.create_connection') return FROM.socket;
  return NETWORK.test(origin) ? FROM.network : 0;
}

export const CLONING =
  /^(?:git\.(?:repo\.(?:base\.)?)?Repo\.clone_from|pygit2\.clone_repository|dulwich\.porcelain\.clone)$/;
