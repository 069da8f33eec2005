import { statfsSync } from 'node:fs';

export type JournalMode = 'wal' | 'delete';

export interface FileSystem {
  /** The type from statfs as an unsigned number. 0 when unknown. */
  type: number;
  /** Name for messages. */
  name: string;
  isShared: boolean;
}

/**
 * File systems that another kernel may access: the shared memory between processes that WAL needs does not work on
 * them. FUSE is included because virtiofs, sshfs and many mounts of virtual machines report it.
 */
const SHARED_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: 'nfs',
  0x517b: 'smb',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb2',
  0x01021997: '9p',
  0x65735546: 'fuse',
  0x6a656a63: 'virtiofs',
  0x786f4256: 'vboxsf',
  0xbacbacbc: 'vmhgfs',
  0x7c7c6673: 'prl_fs',
  0x53464846: 'wslfs',
  0x5346414f: 'afs',
  0x6b414653: 'kafs',
  0x73757245: 'coda',
  0x00c36400: 'ceph',
  0x01161970: 'gfs2',
  0x7461636f: 'ocfs2',
  0x0bd00bd0: 'lustre',
  0x47504653: 'gpfs',
  0x564c: 'ncp',
};

/** Returns WAL where it is safe, or else the slower journal without shared memory. */
export function journalModeFor(fileSystemType: number): JournalMode {
  return isSharedType(fileSystemType) ? 'delete' : 'wal';
}

/** @param type overrides the type that the system reports, for mounts with a wrong type */
export function fileSystemOf(folder: string, type: number = typeOf(folder)): FileSystem {
  const unsigned = type >>> 0;
  return {
    type: unsigned,
    name: SHARED_FILE_SYSTEMS[unsigned] ?? (unsigned === 0 ? 'unknown' : `0x${unsigned.toString(16)}`),
    isShared: isSharedType(unsigned),
  };
}

const isSharedType = (type: number) => SHARED_FILE_SYSTEMS[type >>> 0] !== undefined;

/** Only Linux has numbers with a fixed meaning. A number of another system could be misinterpreted. */
function typeOf(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type : 0;
}
