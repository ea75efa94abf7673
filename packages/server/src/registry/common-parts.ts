import type { Audit } from '../platform/audit/audit.service.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import type { Directory } from './directory.ts';
import type { ChangePack } from './packs/change-pack.ts';
import type { LinkMaker } from './to-wire.ts';

/** What the services of the registry are made with. */
export interface CommonParts extends ServiceParts {
  readonly audit: Audit;
  readonly links: LinkMaker;
  readonly directory: Directory;
  readonly catalogueChanged: () => void;
  readonly changePack: ChangePack;
}
