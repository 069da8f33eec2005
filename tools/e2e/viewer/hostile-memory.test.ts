import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './find-chromium.js';
import { overflowWhenNarrow } from './fits-narrow.js';
import { HOSTILE } from './hostile-texts.js';
import { openViewer, OPEN_TIMEOUT_MS, type OpenViewer } from './open-viewer.js';

interface Item {
  id: number;
  title: string | null;
  sessionId: number;
  projectId: number;
}

describe.skipIf(chromiumPath === null)('records with hostile texts', { timeout: 120_000 }, () => {
  let viewer: OpenViewer;
  let hostile: Item;
  beforeAll(async () => {
    viewer = await openViewer({ memory: 'small' });
    const { items } = await viewer.ask<{ items: Item[] }>({ path: '/api/observations' });
    const found = items.find(({ title }) => title === HOSTILE.title);
    if (found === undefined) throw new Error('the hostile observation is missing');
    hostile = found;
  }, OPEN_TIMEOUT_MS);
  afterAll(() => viewer[Symbol.asyncDispose]());

  const shows = (text: string | RegExp) =>
    viewer.page.getByText(text).filter({ visible: true }).first().waitFor();

  it('B058: are shown as text on every page, without scripts, requests or links', async () => {
    const { id, sessionId, projectId } = hostile;
    const file = encodeURIComponent(HOSTILE.file);
    const pages: readonly (readonly [address: string, ...texts: string[]])[] = [
      ['/', HOSTILE.title, HOSTILE.project],
      [`/search?q=${encodeURIComponent('title onerror alert')}`, HOSTILE.project],
      [`/observations/${id}`, HOSTILE.title, HOSTILE.narrative, HOSTILE.fact, HOSTILE.file, HOSTILE.concept],
      [`/timeline/${id}`, HOSTILE.title],
      ['/sessions', HOSTILE.project],
      [`/sessions/${sessionId}`, HOSTILE.title, HOSTILE.prompt, HOSTILE.next],
      [`/files?path=${file}`, HOSTILE.file],
      ['/files', HOSTILE.file],
      ['/projects', HOSTILE.project],
      [`/projects/${projectId}`, HOSTILE.project, HOSTILE.next],
      ['/queue'],
      ['/usage'],
      ['/context'],
      ['/settings'],
      ['/logs'],
      ['/health-check'],
    ];
    await viewer.visit('/logs');
    for (const [address, ...texts] of pages) {
      await viewer.navigate(address);
      for (const text of texts) await shows(text);
      expect(await markupOfMemory(), address).toEqual([]);
      expect(viewer.pageErrors.take(), address).toEqual([]);
    }
    for (const address of [
      `/search?q=${encodeURIComponent(HOSTILE.title)}`,
      `/${encodeURIComponent(HOSTILE.title)}`,
    ]) {
      await viewer.visit(address);
      expect(await markupOfMemory(), address).toEqual([]);
      expect(viewer.pageErrors.take(), address).toEqual([]);
    }
  });

  it('B058: are shown as text when they arrive over the stream', async () => {
    await viewer.visit('/');
    const text = `<img src=x onerror=alert(12)> remembered`;
    await viewer.ask({ method: 'POST', path: '/api/memory', body: { title: text, text: HOSTILE.narrative } });
    await shows(text);
    expect(await markupOfMemory()).toEqual([]);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('B058: fit a narrow window when texts have the maximum length and no spaces', async () => {
    const long = (length: number, start = 'w') => start.padEnd(length, 'w');
    const record = {
      uid: 'as-long-as-it-may-be',
      project: `/repos/${long(200)}`,
      type: long(50),
      title: long(300),
      subtitle: long(300),
      narrative: long(10_000),
      facts: Array.from({ length: 50 }, (_, at) => long(1_000, `fact ${at} `)),
      concepts: Array.from({ length: 20 }, (_, at) => long(100, `concept${at}`)),
      files_modified: Array.from({ length: 200 }, (_, at) => long(1_000, `src/${at}/`)),
    };
    await viewer.ask({ method: 'POST', path: '/api/import', body: [record] });
    const { items } = await viewer.ask<{ items: Item[] }>({ path: '/api/observations' });
    const { id, sessionId, projectId } = items.find(({ title }) => title === record.title) ?? hostile;
    expect(id).not.toBe(hostile.id);
    const tooWide: string[] = [];
    await viewer.visit('/logs');
    for (const address of [
      '/',
      '/search?q=fact',
      `/observations/${id}`,
      `/timeline/${id}`,
      '/sessions',
      `/sessions/${sessionId}`,
      '/files',
      `/files?path=${record.files_modified[0] ?? ''}`,
      '/projects',
      `/projects/${projectId}`,
      `/context?cwd=${encodeURIComponent(record.project)}`,
    ]) {
      await viewer.navigate(address);
      await shows(/www/);
      if ((await overflowWhenNarrow(viewer.page)) > 0) tooWide.push(address);
    }
    expect(tooWide).toEqual([]);
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('B059: are shown when types, concepts and files have names of object properties', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const records = names.map((name) => ({
      uid: `named ${name}`,
      project: '/repos/names',
      type: name,
      title: `A record of type ${name}`,
      concepts: names,
      files_modified: names,
    }));
    await viewer.ask({ method: 'POST', path: '/api/import', body: records });
    const { items } = await viewer.ask<{ items: Item[] }>({ path: '/api/observations' });
    const { id, sessionId, projectId } = items.find(({ title }) => title === records[0]?.title) ?? hostile;
    expect(id).not.toBe(hostile.id);
    await viewer.visit('/?type=__proto__');
    await shows('__proto__');
    for (const address of [
      '/search?q=record+of+type',
      '/',
      `/observations/${id}`,
      `/sessions/${sessionId}`,
      '/files?path=__proto__',
      `/projects/${projectId}`,
    ]) {
      await viewer.navigate(address);
      await shows('__proto__');
    }
    expect(viewer.pageErrors.take()).toEqual([]);
  });

  it('are detected by the markup check when they become elements of a page', async () => {
    viewer.pageErrors.allow(/./);
    await viewer.page.evaluate((html) => {
      document.querySelector('main')?.insertAdjacentHTML('beforeend', html);
    }, `${HOSTILE.title}${HOSTILE.narrative}${HOSTILE.fact}<a href="javascript:alert(3)">x</a>`);
    expect(await markupOfMemory()).toEqual(expect.arrayContaining(['img', 'script', 'a', 'iframe']));
  });

  function markupOfMemory(): Promise<string[]> {
    return viewer.page.evaluate(() => {
      const ours = (element: Element) =>
        element instanceof HTMLScriptElement && element.src.startsWith(`${location.origin}/assets/`);
      const loads = [
        ...document.querySelectorAll('script, style, img, iframe, object, embed, base, form[action]'),
      ];
      const links = [...document.querySelectorAll('a[href]')].filter(
        (link) => new URL(link.getAttribute('href') ?? '', location.href).origin !== location.origin,
      );
      const handlers = [...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      );
      return [...loads.filter((element) => !ours(element)), ...links, ...handlers].map(
        ({ localName }) => localName,
      );
    });
  }
});
