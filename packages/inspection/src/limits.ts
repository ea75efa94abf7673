const KIB = 1024;
const MIB = 1024 * KIB;

export type InspectionLimits = Readonly<typeof INSPECTION_LIMITS>;

/** Parsing takes about 2.5 µs a token, so `pythonTokens` fits into `cpuMs`. */
export const INSPECTION_LIMITS = {
  entries: 20_000,
  /** For all files together, counted during inflation. */
  inflatedBytes: 1024 * MIB,
  /** Inflated bytes for each compressed one, per file and in total. The first bytes are free. */
  ratio: 200,
  ratioFreeBytes: 8 * MIB,
  pathDepth: 40,
  nameLength: 512,
  /** A longer Python file is not parsed, which is a finding. */
  pythonFileBytes: 2 * MIB,
  pythonBytes: 8 * MIB,
  /** Per file and in total. Beyond them nothing is parsed, which is a finding. */
  pythonFileTokens: 500_000,
  pythonTokens: 2_000_000,
  /** Steps of the parser that repair broken source, for all files together. */
  pythonRepairs: 60_000,
  findings: 100,
  /** The rest of a longer README is left out. */
  readmeBytes: 256 * KIB,
  nodes: 5_000,
  /** CPU time, which does not depend on how busy the machine is. */
  cpuMs: 20_000,
  heapMib: 1024,
};
