import type { FileInput } from '../files/file-input.ts';
import type { Transport } from '../http/transport.ts';
import { createPacks } from './packs.ts';
import { type PublishedVersion, type PublishOptions, publishVersion } from './publish.ts';
import { createMembers, createPublishers, createTokens } from './publishers.ts';
import { createVersions } from './versions.ts';

/** Packs of ComfyUI nodes, and those who publish them. */
export interface Registry {
  /** Who publishes packs. */
  readonly publishers: ReturnType<typeof createPublishers>;
  /** The people of a publisher. */
  readonly members: ReturnType<typeof createMembers>;
  /** What a build server publishes with. */
  readonly tokens: ReturnType<typeof createTokens>;
  /** What the wire calls nodes: archives of ComfyUI nodes. */
  readonly packs: ReturnType<typeof createPacks>;
  /** The versions of packs. */
  readonly versions: ReturnType<typeof createVersions>;
  /** Publishes a version from its archive, and waits for the report of the checks. */
  publish(archive: FileInput, options: PublishOptions): Promise<PublishedVersion>;
}

// Named, because inferred declarations lose the comments of what comes from other files.
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
