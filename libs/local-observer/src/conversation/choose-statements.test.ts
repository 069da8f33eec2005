import { expect, it } from 'vitest';
import { PARCELS, read, turns } from './__fixtures__/conversations.js';
import { chooseStatements } from './choose-statements.js';

it('chooses the statement with the words of the prompt when the token limit allows one', () => {
  const promptTerms = new Map([
    ['contract', 1],
    ['16', 1],
  ]);
  const chosen = chooseStatements(read(turns(...PARCELS)), { promptTerms, tokens: 32 });
  expect(chosen.map(({ text }) => text)).toEqual([expect.stringContaining('16:30')]);
});

it('chooses no one-time request and no promise of the agent to remember', () => {
  const conversation = read(
    turns(
      'From now on we deploy on Fridays only. Please put that into deploy.sh.',
      'Done. I will remember that we deploy on Fridays only.',
    ),
  );
  const chosen = chooseStatements(conversation, { promptTerms: new Map(), tokens: 190 });
  expect(chosen.map(({ text }) => text)).toEqual(['From now on we deploy on Fridays only.']);
});

it('chooses nothing when the token limit is 0', () => {
  expect(chooseStatements(read(turns(...PARCELS)), { promptTerms: new Map(), tokens: 0 })).toEqual([]);
});

it('chooses nothing when the user stated nothing', () => {
  const conversation = read(
    turns(
      'The cart total is wrong when the currency changes',
      'The total was wrong when the currency changed; the cart converts the total last now.',
    ),
  );
  expect(conversation.statements).not.toEqual([]);
  expect(chooseStatements(conversation, { promptTerms: new Map(), tokens: 190 })).toEqual([]);
});
