import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route } from './index.js';

const routes = Object.entries(ROUTES as Record<string, Route>);

describe('ROUTES', () => {
  it('has every method and path once', () => {
    const addresses = routes.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('declares the parameters of every path, and only those', () => {
    for (const [name, { path, params }] of routes) {
      const inPath = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, parameter]) => parameter).sort();
      const declared = Object.keys((params as { properties?: object } | undefined)?.properties ?? {}).sort();
      expect(declared, name).toEqual(inPath);
    }
  });

  it('describes every route in a line', () => {
    for (const [name, { description }] of routes) expect(description, name).toMatch(/^[A-Z][^\n]+\.$/);
  });

  it('leaves nothing but health open', () => {
    expect(routes.filter(([, { auth }]) => auth === 'open').map(([name]) => name)).toEqual(['health']);
  });

  it('keeps what changes or reveals the machine to callers on it', () => {
    const admin = routes.filter(([, { auth }]) => auth === 'admin').map(([name]) => name);
    expect(admin).toEqual(
      expect.arrayContaining(['getSettings', 'changeSettings', 'dropMessages', 'shutdown', 'logs']),
    );
  });

  it('keeps what steers later sessions to callers on the machine', () => {
    const admin = routes.filter(([, { auth }]) => auth === 'admin').map(([name]) => name);
    expect(admin).toEqual(
      expect.arrayContaining(['remember', 'editObservation', 'deleteObservation', 'forget', 'importRecords']),
    );
  });

  it('is safe to load in a browser, but for the part for local programs', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^local[\\/]/.test(file),
    );
    expect(sources.length).toBeGreaterThan(5);
    for (const file of sources)
      expect(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'), file).not.toMatch(
        /from '(?:node:|.*\/local\/)/,
      );
  });
});
