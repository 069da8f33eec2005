import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route } from './index.js';

const routes = Object.entries(ROUTES as Record<string, Route>);

describe('ROUTES', () => {
  it('contains every method and path once', () => {
    const addresses = routes.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('declares exactly the parameters of each path', () => {
    for (const [name, { path, params }] of routes) {
      const inPath = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, parameter]) => parameter).sort();
      const declared = Object.keys((params as { properties?: object } | undefined)?.properties ?? {}).sort();
      expect(declared, name).toEqual(inPath);
    }
  });

  it('describes every route in one line', () => {
    for (const [name, { description }] of routes) expect(description, name).toMatch(/^[A-Z][^\n]+\.$/);
  });

  it('allows only health without a token', () => {
    expect(routes.filter(([, { auth }]) => auth === 'open').map(([name]) => name)).toEqual(['health']);
  });

  it('allows routes that change or reveal the machine only to local clients', () => {
    const admin = routes.filter(([, { auth }]) => auth === 'admin').map(([name]) => name);
    expect(admin).toEqual(
      expect.arrayContaining(['getSettings', 'changeSettings', 'dropMessages', 'shutdown', 'logs']),
    );
  });

  it('allows routes that influence later sessions only to local clients', () => {
    const admin = routes.filter(([, { auth }]) => auth === 'admin').map(([name]) => name);
    expect(admin).toEqual(
      expect.arrayContaining(['remember', 'editObservation', 'deleteObservation', 'forget', 'importRecords']),
    );
  });

  it('can be loaded in a browser, except the module for local programs', () => {
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
