import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProgramHome, type ProgramHome } from '../testing/run-inside.js';

let home: ProgramHome;
let shop: string;
let store: string;
beforeAll(async () => {
  home = createProgramHome();
  shop = folder('w', 'shop');
  store = join(home.home, 'w', 'store');
  await run('remember', 'Deploys go out on Monday', '--project', shop, '--pin');
});
afterEach(() => {
  if (existsSync(store)) renameSync(store, shop);
});
afterAll(() => home[Symbol.asyncDispose]());

const run = (...args: string[]) => home.run(...args);
const move = (...args: string[]) => run('project', 'move', ...args);
const folder = (...parts: string[]) => {
  const path = join(home.home, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const titlesOf = async (project: string) => {
  const { stdout } = await run('search', '--project', project, '--json');
  return (JSON.parse(stdout) as { items: { item: { title: string } }[] }).items.map(({ item }) => item.title);
};

describe('R03: project move', () => {
  it('moves all records to the new folder and back', async () => {
    renameSync(shop, store);
    const moved = await move(shop, store);
    expect(moved).toMatchObject({ exit: 0, stderr: '' });
    expect(moved.stdout).toContain(`Moved 1 observation from ${shop} to ${store}.`);
    expect(moved.stdout).toContain(`Undo: claude-mem project move --force ${store} ${shop}`);
    expect(await titlesOf(store)).toEqual(['Deploys go out on Monday']);
    expect((await move('--force', store, shop)).exit).toBe(0);
    expect(await titlesOf(shop)).toEqual(['Deploys go out on Monday']);
  });

  it('accepts the name of the project and a folder below a link', async () => {
    symlinkSync(join(home.home, 'w'), join(home.home, 'link'));
    renameSync(shop, store);
    expect((await move('shop', join(home.home, 'link', 'store'))).stdout).toContain(`to ${store}.`);
    renameSync(store, shop);
    expect((await move(join(home.home, 'link', 'store'), shop)).stdout).toContain(`to ${shop}.`);
  });

  it('refuses unclear requests with the reason, and changes nothing', async () => {
    const other = folder('else', 'shop');
    await run('remember', 'Another shop', '--project', other);
    const refusals: [string[], string][] = [
      [[shop, store], `${store} does not exist`],
      [[shop, home.home], 'cannot be a project'],
      [[shop, shop], 'are there already'],
      [[shop, folder('w', 'new')], `${shop} still exists`],
      [['nothing', folder('w', 'new')], 'There is no project "nothing"'],
    ];
    for (const [args, message] of refusals) {
      const refused = await move(...args);
      expect(refused.exit, message).not.toBe(0);
      expect(refused.stderr).toContain(message);
    }
    renameSync(shop, store);
    const occupied = await move(shop, other);
    expect(occupied.exit).not.toBe(0);
    expect(occupied.stderr).toContain(`${other} has records of its own. Use --merge`);
    expect(await titlesOf(shop)).toEqual(['Deploys go out on Monday']);
    for (const args of [
      ['move', shop],
      ['rename', shop, store],
    ])
      expect((await run('project', ...args)).exit).not.toBe(0);
  });

  it('doctor lists a project when its folder does not exist', async () => {
    const line = async () => (await run('doctor')).stdout.replaceAll(/\n +/g, ' ');
    expect(await line()).toMatch(/ok +projects/);
    renameSync(shop, store);
    const found = await line();
    expect(found).toMatch(/warn +projects/);
    expect(found).toContain(`${shop} (1 observation)`);
    expect(found).toContain(`claude-mem project move ${shop} NEW`);
  });

  // the last test, because it cannot be undone
  it('merges both projects when --merge is set', async () => {
    const other = folder('else', 'shop');
    await run('remember', 'Another shop', '--project', other);
    renameSync(shop, store);
    const merged = await move('--merge', shop, other);
    expect(merged.exit).toBe(0);
    expect(merged.stdout).not.toContain('Undo');
    expect((await titlesOf(other)).sort()).toEqual(['Another shop', 'Deploys go out on Monday']);
  });
});
