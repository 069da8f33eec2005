import { HOST_NAMES } from '@claude-mem/core';
import { grownTo } from '../growing-array.js';
import type { IndexTables } from '../tables/index-reader.js';
import type { DocumentTable } from './document-table.js';

/** The hosts of sessions, which never change. New sessions are read on demand. */
export interface SessionHosts {
  /** Index in HOST_NAMES for each session number of the document table. NO_HOST when it is unknown. */
  ofSessions(documents: DocumentTable): Uint8Array;
  /** The same for one session, by id. */
  numberOf(sessionId: number): number;
}

/** Stands for an unknown host. */
export const NO_HOST = HOST_NAMES.length;

export function createSessionHosts(tables: Pick<IndexTables, 'sessionHosts'>): SessionHosts {
  let lastId = 0;
  let hosts = new Uint8Array();
  let byNumber = new Uint8Array();
  let known = { documents: null as DocumentTable | null, resets: -1, count: 0 };

  const numberOf = (sessionId: number): number => {
    if (sessionId > lastId)
      for (const { id, host } of tables.sessionHosts(lastId)) {
        hosts = grownTo(hosts, id + 1);
        hosts[id] = HOST_NAMES.findIndex((name) => name === host) + 1;
        lastId = id;
      }
    return (hosts[sessionId] || NO_HOST + 1) - 1;
  };
  return {
    numberOf,
    ofSessions(documents) {
      const { sessionCount: count, resets } = documents;
      const isReset = documents !== known.documents || resets !== known.resets;
      byNumber = grownTo(byNumber, count);
      for (let session = isReset ? 0 : known.count; session < count; session += 1)
        byNumber[session] = numberOf(documents.sessionIdOf(session));
      known = { documents, resets, count };
      return byNumber;
    },
  };
}
