import { describe, expect, it } from 'vitest';
import { readInput, ROUTES, SessionInit } from './index.js';

describe('readInput', () => {
  it('converts the text of a query to the types of the schema', () => {
    const reading = readInput(ROUTES.listQueue.query, { limit: '5', sessionId: '12' }, { from: 'query' });
    expect(reading).toEqual({ kind: 'valid', value: { limit: 5, sessionId: 12 } });
  });

  it('converts path parameters to ids', () => {
    expect(readInput(ROUTES.getSession.params, { id: '7' }, { from: 'query' })).toEqual({
      kind: 'valid',
      value: { id: 7 },
    });
  });

  it.each(['0', '-1', '1.5', 'x', '1e99', ''])('rejects %j as an id', (id) => {
    expect(readInput(ROUTES.getSession.params, { id }, { from: 'query' })).toMatchObject({ kind: 'invalid' });
  });

  it('B080: accepts the citation format of an id, and leaves numbers unchanged', () => {
    for (const id of ['123', ' 123 ', '#123', ' #123'])
      expect(readInput(ROUTES.getObservation.params, { id }, { from: 'query' })).toEqual({
        kind: 'valid',
        value: { id: 123 },
      });
    expect(readInput(ROUTES.listQueue.query, { limit: '#5' }, { from: 'query' }).kind).toBe('invalid');
  });

  it('accepts several values of a filter, repeated or separated by commas', () => {
    for (const type of ['bugfix,decision', ['bugfix', 'decision']])
      expect(readInput(ROUTES.search.query, { type, limit: '3' }, { from: 'query' })).toEqual({
        kind: 'valid',
        value: { type, limit: 3 },
      });
  });

  it('accepts records to import as a list or as lines', () => {
    for (const body of [[{ uid: 'a' }], { lines: ['{"uid":"a"}'] }])
      expect(readInput(ROUTES.importRecords.body, body, { from: 'body' }).kind).toBe('valid');
    for (const body of [{ uid: 'a' }, { lines: [1] }, 'x', null])
      expect(readInput(ROUTES.importRecords.body, body, { from: 'body' }).kind).toBe('invalid');
  });

  it('names the invalid field', () => {
    const reading = readInput(SessionInit, { contentSessionId: 5 }, { from: 'body' });
    expect(reading).toEqual({ kind: 'invalid', problems: ['contentSessionId must be string'] });
  });

  it('lists the allowed values of a field once', () => {
    const reading = readInput(ROUTES.listQueue.query, { status: 'stuck', limit: 'x' }, { from: 'query' });
    expect(reading).toEqual({
      kind: 'invalid',
      problems: ['status must be one of pending, processing, parked', 'limit must be integer'],
    });
  });

  it('does not convert a body', () => {
    const reading = readInput(ROUTES.retryMessages.body, { ids: ['1'] }, { from: 'body' });
    expect(reading.kind).toBe('invalid');
  });

  it('rejects a body that is not an object', () => {
    for (const body of [null, 5, 'x', [], undefined])
      expect(readInput(SessionInit, body, { from: 'body' }).kind).toBe('invalid');
  });

  it('accepts combined queries with the fields of both parts', () => {
    expect(readInput(ROUTES.listObservations.query, { ids: '1,2', limit: '2' }, { from: 'query' })).toEqual({
      kind: 'valid',
      value: { ids: '1,2', limit: 2 },
    });
    expect(readInput(ROUTES.listObservations.query, { limit: '501' }, { from: 'query' }).kind).toBe(
      'invalid',
    );
    expect(readInput(ROUTES.listSessions.query, { host: 'nobody' }, { from: 'query' }).kind).toBe('invalid');
  });
});
