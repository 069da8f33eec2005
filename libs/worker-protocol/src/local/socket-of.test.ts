import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { socketOf } from './socket-of.js';

let base: string;
let places: { socket: string; socketPointer: string };
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'socket-of-'));
  places = { socket: join(base, 'worker.sock'), socketPointer: join(base, 'worker.sock.path') };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Creates the folder of the other socket and points to it. */
function pointTo(mode: number): string {
  const folder = join(base, 'shared');
  mkdirSync(folder);
  chmodSync(folder, mode);
  writeFileSync(places.socketPointer, `${join(folder, 'x.sock')}\n`);
  return join(folder, 'x.sock');
}

it('returns the socket of the data directory when there is no pointer file', () => {
  expect(socketOf(places)).toBe(places.socket);
});

it('returns the socket in the pointer file when its folder is private', () => {
  const socket = pointTo(0o700);
  expect(socketOf(places)).toBe(socket);
});

it.skipIf(process.platform === 'win32')(
  'S02: ignores a pointer to a folder that other users can change',
  () => {
    pointTo(0o777);
    expect(socketOf(places)).toBe(places.socket);
  },
);

it.skipIf(process.platform === 'win32')('S02: ignores a pointer through a link', () => {
  const target = pointTo(0o700);
  symlinkSync(join(base, 'shared'), join(base, 'link'));
  writeFileSync(places.socketPointer, `${target.replace('/shared/', '/link/')}\n`);
  expect(socketOf(places)).toBe(places.socket);
});

it.skipIf(process.platform === 'win32')('S02: ignores a pointer to a folder that does not exist', () => {
  rmSync(dirname(pointTo(0o700)), { recursive: true });
  expect(socketOf(places)).toBe(places.socket);
});
