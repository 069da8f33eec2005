import { describe, expect, it } from 'vitest';
import { createViewerCookie, VIEWER_COOKIE_DAYS } from './create-viewer-cookie.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 28);
const PORT = 37_777;

function atTime(token = 'a'.repeat(64)) {
  const clock = { now: START };
  return { clock, cookie: createViewerCookie({ token, now: () => clock.now }) };
}

const pairOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

describe('the viewer cookie', () => {
  it('is HttpOnly and SameSite=Strict, and does not contain the token', () => {
    const token = 'deadbeef'.repeat(8);
    const header = createViewerCookie({ token, now: () => START }).issue(PORT);
    expect(header.split('; ').slice(1).sort()).toEqual(
      ['HttpOnly', `Max-Age=${VIEWER_COOKIE_DAYS * 86_400}`, 'Path=/', 'SameSite=Strict'].sort(),
    );
    expect(header).not.toContain(token);
    expect(header).not.toMatch(/domain/i);
  });

  it('is valid for 90 days, also after a restart', () => {
    const { clock, cookie } = atTime();
    const pair = pairOf(cookie.issue(PORT));
    const restarted = atTime();
    restarted.clock.now = clock.now = START + VIEWER_COOKIE_DAYS * DAY - 1;
    expect(cookie.isAmong(pair, PORT)).toBe(true);
    expect(restarted.cookie.isAmong(pair, PORT)).toBe(true);
    clock.now += 1;
    expect(cookie.isAmong(pair, PORT)).toBe(false);
  });

  it('is valid when the clock was set back by half a day, and invalid when it was issued two days in the future', () => {
    const { clock, cookie } = atTime();
    const pair = pairOf(cookie.issue(PORT));
    clock.now = START - DAY / 2;
    expect(cookie.isAmong(pair, PORT)).toBe(true);
    clock.now = START - 2 * DAY;
    expect(cookie.isAmong(pair, PORT)).toBe(false);
  });

  it('is found among other cookies with its name, and is invalid for another port', () => {
    const { cookie } = atTime();
    const pair = pairOf(cookie.issue(PORT));
    expect(cookie.isAmong(`a=b; claude_mem_${PORT}=forged; ${pair}; c`, PORT)).toBe(true);
    expect(cookie.isAmong(pair, PORT + 1)).toBe(false);
    expect(cookie.isAmong(undefined, PORT)).toBe(false);
  });

  it('is invalid when any part of it was changed or the token is different', () => {
    const { cookie } = atTime();
    const pair = pairOf(cookie.issue(PORT));
    const [name = '', value = ''] = pair.split('=');
    const parts = value.split('.');
    const later = [(START + DAY).toString(36), ...parts.slice(1)].join('.');
    for (const wrong of [later, value.slice(0, -1), `${value}A`, parts.slice(0, 2).join('.'), '', '..'])
      expect(cookie.isAmong(`${name}=${wrong}`, PORT), wrong).toBe(false);
    for (let at = 0; at < value.length - 1; at += 1) {
      const changed = value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1);
      expect(cookie.isAmong(`${name}=${changed}`, PORT), changed).toBe(false);
    }
    expect(atTime('b'.repeat(64)).cookie.isAmong(pair, PORT)).toBe(false);
  });
});
