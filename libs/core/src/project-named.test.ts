import { expect, it } from 'vitest';
import { noSuchProject, projectNamed } from './project-named.js';

const shop = { key: '/repos/shop', name: 'shop' };
const odd = { key: '/repos/odd', name: '/repos/shop' };

it('finds a project by its key before one with the same name', () => {
  expect(projectNamed([odd, shop], '/repos/shop')).toBe(shop);
  expect(projectNamed([odd, shop], 'shop')).toBe(shop);
  expect(projectNamed([odd, shop], 'Shop')).toBeUndefined();
});

it('lists the existing names, limited in number', () => {
  expect(noSuchProject('x', [])).toBe('There is no project "x". Known: none.');
  expect(noSuchProject('x', [shop, odd])).toBe('There is no project "x". Known: "shop", "/repos/shop".');
  expect(noSuchProject('x', Array(25).fill(shop))).toMatch(/"shop" and 5 more\.$/);
});
