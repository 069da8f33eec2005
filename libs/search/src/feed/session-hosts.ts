import { HOST_NAMES, type HostName } from '@claude-mem/core';
import type { StoreReader } from '@claude-mem/storage';
import type { DocumentTable } from '../documents/document-table.js';
import { setOfBits, type DocumentSet } from '../documents/document-set.js';
import { grownTo } from '../growing-array.js';

/** The hosts of sessions, which never change. */
export interface SessionHosts {
  /** Takes in new sessions. */
  refresh(): Promise<void>;
  /** Place in HOST_NAMES of each session, by the numbers that the documents give them; NO_HOST where it is not known. */
  ofSessions(documents: DocumentTable): Uint8Array;
  /** Undefined for one that is not known, or whose host is not. */
  of(sessionId: number): HostName | undefined;
  /** Those of the set whose session came from one of the hosts. */
  keep(set: DocumentSet, hosts: readonly HostName[], documents: DocumentTable): DocumentSet;
}

export const NO_HOST = HOST_NAMES.length;

export function createSessionHosts(store: Pick<StoreReader, 'sessionHosts'>): SessionHosts {
  let lastId = 0;
  let hosts = new Uint8Array();
  let byNumber = new Uint8Array();
  let known = { documents: null as DocumentTable | null, resets: -1, count: 0, lastId: 0 };

  /** A set is given again until something is written. */
  let kept = new WeakMap<DocumentSet, Map<string, DocumentSet>>();

  const numberOf = (sessionId: number) => (sessionId <= lastId ? (hosts[sessionId] ?? 0) : 0) - 1;
  const ofSessions = (documents: DocumentTable): Uint8Array => {
    const { sessionCount: count, resets } = documents;
    const isAnew = documents !== known.documents || resets !== known.resets || lastId !== known.lastId;
    byNumber = grownTo(byNumber, count);
    for (let session = isAnew ? 0 : known.count; session < count; session += 1) {
      const number = numberOf(documents.sessionIdOf(session));
      byNumber[session] = number < 0 ? NO_HOST : number;
    }
    if (isAnew || count !== known.count) kept = new WeakMap();
    known = { documents, resets, count, lastId };
    return byNumber;
  };
  return {
    ofSessions,
    async refresh() {
      for (const { id, host } of await store.sessionHosts(lastId)) {
        hosts = grownTo(hosts, id + 1);
        hosts[id] = HOST_NAMES.indexOf(host) + 1;
        lastId = id;
      }
    },
    of: (sessionId) => HOST_NAMES[numberOf(sessionId)],
    keep(set, hosts, documents) {
      const hostOf = ofSessions(documents);
      const key = hosts.toSorted().join();
      const byHosts = kept.get(set) ?? new Map<string, DocumentSet>();
      const found = byHosts.get(key) ?? keepHosts(set, hosts, documents, hostOf);
      kept.set(set, byHosts.set(key, found));
      return found;
    },
  };
}

function keepHosts(
  set: DocumentSet,
  hosts: readonly HostName[],
  documents: DocumentTable,
  hostOf: Uint8Array,
): DocumentSet {
  const bits = set.bits.slice();
  const wanted = new Set(hosts.map((host) => HOST_NAMES.indexOf(host)));
  for (let place = 0; place < bits.length; place += 1) {
    let kept = 0;
    for (let rest = bits[place] as number; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      if (wanted.has(hostOf[documents.session[place * 32 + bit] as number] as number)) kept |= 1 << bit;
    }
    bits[place] = kept;
  }
  return setOfBits(bits);
}
