import type { Migration } from 'kysely';

import * as accounts from './0001-accounts.ts';
import * as registry from './0002-registry.ts';
import * as storage from './0003-storage.ts';
import * as registryReviews from './0004-registry-reviews.ts';
import * as cloud from './0005-cloud.ts';
import * as webhooks from './0006-webhooks.ts';
import * as host from './0007-host.ts';
import * as proxy from './0008-proxy.ts';
import * as putBacks from './0009-put-backs.ts';
import * as boundedReads from './0010-bounded-reads.ts';
import * as signInAddresses from './0011-sign-in-addresses.ts';
import * as workflowDescriptions from './0012-workflow-descriptions.ts';
import * as workers from './0013-workers.ts';
import * as deviceSignIns from './0014-device-sign-ins.ts';
import * as jobTimelines from './0015-job-timelines.ts';
import * as jobNames from './0016-job-names.ts';
import * as workflowVersions from './0017-workflow-versions.ts';
import * as assetSizes from './0018-asset-sizes.ts';
import * as assetSearch from './0019-asset-search.ts';
import * as packReadmes from './0020-pack-readmes.ts';
import * as jobMetadata from './0021-job-metadata.ts';
import * as madeFiles from './0022-made-files.ts';
import * as auditOfPeople from './0023-audit-of-people.ts';
import * as largeLists from './0024-large-lists.ts';
import * as filterHashes from './0025-filter-hashes.ts';
import * as lastingAssets from './0026-lasting-assets.ts';
import * as workerQuarantines from './0027-worker-quarantines.ts';
import * as listRevisions from './0028-list-revisions.ts';

/** In order, forward only. A released file never changes; a new table is a new number. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-registry': registry,
  '0003-storage': storage,
  '0004-registry-reviews': registryReviews,
  '0005-cloud': cloud,
  '0006-webhooks': webhooks,
  '0007-host': host,
  '0008-proxy': proxy,
  '0009-put-backs': putBacks,
  '0010-bounded-reads': boundedReads,
  '0011-sign-in-addresses': signInAddresses,
  '0012-workflow-descriptions': workflowDescriptions,
  '0013-workers': workers,
  '0014-device-sign-ins': deviceSignIns,
  '0015-job-timelines': jobTimelines,
  '0016-job-names': jobNames,
  '0017-workflow-versions': workflowVersions,
  '0018-asset-sizes': assetSizes,
  '0019-asset-search': assetSearch,
  '0020-pack-readmes': packReadmes,
  '0021-job-metadata': jobMetadata,
  '0022-made-files': madeFiles,
  '0023-audit-of-people': auditOfPeople,
  '0024-large-lists': largeLists,
  '0025-filter-hashes': filterHashes,
  '0026-lasting-assets': lastingAssets,
  '0027-worker-quarantines': workerQuarantines,
  '0028-list-revisions': listRevisions,
};
