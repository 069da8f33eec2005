import { describe, expect, it } from 'vitest';
import { createSignInCodes } from './create-sign-in-codes.js';

const MINUTE = 60_000;

function atTime() {
  const clock = { now: Date.UTC(2026, 10, 28) };
  return { clock, codes: createSignInCodes({ now: () => clock.now }) };
}

describe('sign-in codes', () => {
  it('are valid for exactly one use each', () => {
    const { codes } = atTime();
    const [first, second] = [codes.create(), codes.create()];
    expect(codes.redeem(second.code)).toBe(true);
    expect(codes.redeem(second.code)).toBe(false);
    expect(codes.redeem(first.code)).toBe(true);
    expect(codes.redeem('')).toBe(false);
  });

  it('expire after ten minutes', () => {
    const { codes, clock } = atTime();
    const { code, expiresAtEpoch } = codes.create();
    const late = codes.create();
    expect(expiresAtEpoch - clock.now).toBe(10 * MINUTE);
    clock.now = expiresAtEpoch - 1;
    expect(codes.redeem(late.code)).toBe(true);
    clock.now = expiresAtEpoch;
    expect(codes.redeem(code)).toBe(false);
  });

  it('are limited to five: a sixth code invalidates the oldest', () => {
    const { codes } = atTime();
    const made = Array.from({ length: 6 }, () => codes.create().code);
    expect(made.map((code) => codes.redeem(code))).toEqual([false, true, true, true, true, true]);
  });

  it('S07: accepts a valid sign-in code after many wrong codes', () => {
    const { codes } = atTime();
    const { code } = codes.create();
    for (let guess = 0; guess < 1000; guess += 1) expect(codes.redeem(`guess ${guess}`)).toBe(false);
    expect(codes.isOpen(code)).toBe(true);
    expect(codes.redeem(code)).toBe(true);
    expect(codes.isOpen(code)).toBe(false);
  });
});
