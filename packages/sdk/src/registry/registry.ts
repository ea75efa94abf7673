import type { FileInput } from '../files/file-input.ts';
import type { Transport } from '../http/transport.ts';
import { createPacks } from './packs.ts';
import { type PublishedVersion, type PublishOptions, publishVersion } from './publish.ts';
import { createMembers, createPublishers, createTokens } from './publishers.ts';
import { createVersions } from './versions.ts';

/** Packs of ComfyUI nodes, and those who publish them. */
export function createRegistry(transport: Transport) {
  return {
    publishers: createPublishers(transport),
    members: createMembers(transport),
    tokens: createTokens(transport),
    packs: createPacks(transport),
    versions: createVersions(transport),
    /** Publishes a version from its archive, and waits for the report of the checks. */
    publish: async (archive: FileInput, options: PublishOptions): Promise<PublishedVersion> =>
      await publishVersion(transport, archive, options),
  };
}
