const KIB = 1024;
const MIB = 1024 * KIB;

export interface InspectionLimits {
  readonly entries: number;
  /** All files together, counted while they are inflated. */
  readonly inflatedBytes: number;
  /** Inflated bytes for each compressed one, of a file and of the whole; the first bytes are free. */
  readonly ratio: number;
  readonly ratioFreeBytes: number;
  readonly pathDepth: number;
  readonly nameLength: number;
  /** A longer Python file is not parsed, which is a finding. */
  readonly pythonFileBytes: number;
  readonly pythonBytes: number;
  /** Of a file and of all: beyond these it is not parsed, which is a finding. */
  readonly pythonFileTokens: number;
  readonly pythonTokens: number;
  /** Steps of the parser while it guesses what broken source may mean, of all files together. */
  readonly pythonRepairs: number;
  readonly findings: number;
  readonly nodes: number;
  /** Computing time, which does not depend on how busy the machine is. */
  readonly cpuMs: number;
  readonly heapMib: number;
}

/** Parsing takes about 2.5 µs a token, so `pythonTokens` fits into the computing time. */
export const INSPECTION_LIMITS: InspectionLimits = {
  entries: 20_000,
  inflatedBytes: 1024 * MIB,
  ratio: 200,
  ratioFreeBytes: 8 * MIB,
  pathDepth: 40,
  nameLength: 512,
  pythonFileBytes: 2 * MIB,
  pythonBytes: 8 * MIB,
  pythonFileTokens: 500_000,
  pythonTokens: 2_000_000,
  pythonRepairs: 60_000,
  findings: 100,
  nodes: 5_000,
  cpuMs: 20_000,
  heapMib: 1024,
};
