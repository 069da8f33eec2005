import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { fileSystemOf, journalModeFor } from './journal-mode.js';

describe('B049: journalModeFor', () => {
  it.each([
    ['ext4', 0xef53, 'wal'],
    ['btrfs', 0x9123683e, 'wal'],
    ['xfs', 0x58465342, 'wal'],
    ['tmpfs', 0x01021994, 'wal'],
    ['overlay', 0x794c7630, 'wal'],
    ['zfs', 0x2fc12fc1, 'wal'],
    ['unknown', 0, 'wal'],
    ['nfs', 0x6969, 'delete'],
    ['smb', 0x517b, 'delete'],
    ['cifs', 0xff534d42, 'delete'],
    ['cifs as a signed number', 0xff534d42 | 0, 'delete'],
    ['smb2', 0xfe534d42, 'delete'],
    ['9p', 0x01021997, 'delete'],
    ['fuse and virtiofs', 0x65735546, 'delete'],
    ['vboxsf', 0x786f4256, 'delete'],
    ['ceph', 0x00c36400, 'delete'],
  ])('returns the journal mode for %s', (_name, type, mode) => {
    expect(journalModeFor(type)).toBe(mode);
  });
});

it('detects the file system of a folder when no type is passed', () => {
  expect(fileSystemOf(tmpdir())).toMatchObject({ name: expect.any(String), isShared: expect.any(Boolean) });
  expect(fileSystemOf(tmpdir(), 0x6969)).toEqual({ type: 0x6969, name: 'nfs', isShared: true });
});
