import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import * as drafts from './read-draft.js';

const KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  `MIIEpAIBAAKC${'Aa1'.repeat(17)}`,
  `zQ9${'b7X'.repeat(20)}`,
  '-----END RSA PRIVATE KEY-----',
];
const [KEY_BEGIN = '', KEY_BODY = ''] = KEY;
const types = ['bugfix', 'decision', 'discovery'];
const readDraft = (request: Parameters<typeof drafts.readDraft>[0]) => drafts.readDraft(request, { types });
const readChange = (change: Parameters<typeof drafts.readChange>[0]) => drafts.readChange(change, { types });
const REMOVED_NOTE = ['Private text and secrets were removed.'];

describe('readDraft and readChange', () => {
  it.each([
    [
      'a key over facts',
      { text: 'The deploy key', facts: ['In the vault', ...KEY, 'Renewed in May'] },
      KEY_BODY,
    ],
    [
      'a key of which the title has the first line',
      { title: KEY_BEGIN, text: KEY.slice(1).join('\n') },
      KEY_BODY,
    ],
    [
      'a value whose name is the title',
      { title: 'AWS_SECRET_ACCESS_KEY', text: 'In CI', facts: ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz'] },
      'wJalrX',
    ],
    ['a password under its title', { title: 'The staging password:', text: 'Sup3rS3cretH0rse' }, 'H0rse'],
  ])('removes a secret that is split over several fields: %s', (_name, { text, ...fields }, secret) => {
    const saved = readDraft({ text, ...fields });
    const changed = readChange({ narrative: text, ...fields });
    for (const { draft, notes } of [saved, changed]) {
      expect(JSON.stringify(draft)).not.toContain(secret);
      expect(notes).toEqual(REMOVED_NOTE);
    }
  });

  it('removes private text that begins in one field and ends in another', () => {
    const fields = { facts: ['zeta9 </private> rest', 'b'], title: 'The deploy <private> zeta9' };
    expect(readDraft({ text: 'of zeta9', ...fields })).toMatchObject({
      draft: { title: 'The deploy', narrative: null, facts: toFacts(['rest', 'b'], 'user') },
      notes: REMOVED_NOTE,
    });
    expect(readChange({ narrative: 'of zeta9', ...fields })).toMatchObject({
      draft: { title: 'The deploy', narrative: null, facts: toFacts(['rest', 'b'], 'user') },
      notes: REMOVED_NOTE,
    });
    expect(
      JSON.stringify(readDraft({ text: 'a <private>', facts: ['zeta9'], files: ['zeta9.ts'] })),
    ).not.toContain('zeta9');
  });

  it('reports no removed secret when only characters were normalized', () => {
    expect(readDraft({ text: 'A NUL\0 in C' })).toMatchObject({
      draft: { title: 'A NUL\u2400 in C' },
      notes: [],
    });
    for (const text of ['Cafe\u0301', '\ufeffText of an editor'])
      expect(readDraft({ text }).notes).toEqual([]);
  });

  it('keeps the text around a removed secret', () => {
    const facts = ['In the vault', ...KEY, 'Renewed in May'];
    expect(readDraft({ text: 'The deploy key\nof the shop', facts }).draft).toMatchObject({
      title: 'The deploy key',
      narrative: 'The deploy key\nof the shop',
      facts: toFacts(['In the vault', '[redacted:private-key]', 'Renewed in May'], 'user'),
    });
  });

  it('keeps text that only resembles a secret', () => {
    const fields = {
      title: 'Token refresh',
      text: 'Loops when the clock is off\n\nSee the guide',
      type: 'Decision',
      facts: ['src/auth/refreshToken.ts', 'Password: is hashed', 'bcrypt', 'bcrypt'],
    };
    const { draft, notes } = readDraft(fields);
    expect(notes).toEqual([]);
    expect(draft).toMatchObject({
      type: 'decision',
      title: fields.title,
      narrative: fields.text,
      facts: toFacts(fields.facts, 'user'),
    });
    expect(readChange({ title: null, facts: [] }).draft).toEqual({ title: null, facts: [] });
    expect(readChange({ narrative: '' }).draft).toEqual({ narrative: null });
  });

  it('lists the types when the type is unknown, without a secret in the message', () => {
    const refused = {
      code: 'worker/bad-request',
      message: 'There is no type "nonsense". Types: bugfix, decision, discovery.',
    };
    expect(() => readDraft({ text: 'Something', type: 'nonsense' })).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => readChange({ type: 'nonsense' })).toThrow(expect.objectContaining(refused));
    expect(() => readDraft({ text: 'Of a kind', type: 'AKIAIOSFODNN7EXAMPQX' })).toThrow(/^(?!.*EXAMPQX)/i);
    expect(readDraft({ text: 'Something', type: '' }).draft.type).toBe('discovery');
    expect(readChange({ type: ' Bugfix\n' }).draft.type).toBe('bugfix');
  });
});
