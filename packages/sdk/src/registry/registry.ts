import type { FileInput } from '../files/file-input.ts';
import type { Transport } from '../http/transport.ts';
import { createPacks } from './packs.ts';
import { type PublishedVersion, type PublishOptions, publishVersion } from './publish.ts';
import { createMembers, createPublishers, createTokens } from './publishers.ts';
import { createVersions } from './versions.ts';

/** Packs of ComfyUI nodes and their publishers. */
export interface Registry {
  /** Publishers of packs. */
  readonly publishers: ReturnType<typeof createPublishers>;
  /** The people of a publisher. */
  readonly members: ReturnType<typeof createMembers>;
  /** Tokens with which build servers publish. */
  readonly tokens: ReturnType<typeof createTokens>;
  /** Packs of ComfyUI nodes, which the API calls nodes. */
  readonly packs: ReturnType<typeof createPacks>;
  /** The versions of packs. */
  readonly versions: ReturnType<typeof createVersions>;
  /** Publishes a version from its archive, and waits for the report of the checks. */
  publish(archive: FileInput, options: PublishOptions): Promise<PublishedVersion>;
}

// Named, because inferred declarations lose the comments of types from other files.
export function createRegistry(transport: Transport): Registry {
  return {
    publishers: createPublishers(transport),
    members: createMembers(transport),
    tokens: createTokens(transport),
    packs: createPacks(transport),
    versions: createVersions(transport),
    publish: async (archive, options) => await publishVersion(transport, archive, options),
  };
}
