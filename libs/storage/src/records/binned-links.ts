import type { Database } from '../database/driver.js';

/**
 * What superseded what, over a time in which some of it is in the bin. Each forgetting notes what it changed for a record; the notes on
 * one record follow each other like a stack, in which what `was` earlier is what the person meant. Callers hold the transaction.
 */
export interface BinnedLinks {
  /** Notes what the observations superseded, also what is in the bin already; before they are removed. */
  take(binId: number, observationIds: readonly number[]): void;
  /** Keeps what superseded those that are back, of rows of a bin, until all of the bin are. */
  defer(rows: string, restoredIds: readonly number[]): void;
  /** After all are back. What somebody changed meanwhile stays. */
  putBack(binId: number): void;
  /** They will not come back. */
  finish(binId: number): void;
}

interface Link {
  /** Of the note. */
  noteId: number;
  id: number;
  /** What superseded it, and what does since that is gone. */
  was: number;
  became: number | null;
}

export function createBinnedLinks(database: Database): BinnedLinks {
  const inList = 'IN (SELECT value FROM json_each(:ids))';
  const successors = database.prepare(
    `SELECT id, superseded_by AS successor FROM observations WHERE id ${inList} AND superseded_by IS NOT NULL`,
  );
  const survivors = database.prepare(
    `SELECT id, superseded_by AS was FROM observations WHERE superseded_by ${inList} AND id NOT ${inList}`,
  );
  // by way of the bins, so that what a large one took before is not read for each of its parts
  const inOtherBins = database.prepare(`
    SELECT record_id AS id, data ->> '$.superseded_by' AS was
    FROM forget_bin bin CROSS JOIN forget_bin_rows row ON row.bin_id = bin.id
    WHERE bin.id <> :binId AND kind IN ('observations', 'link') AND data ->> '$.superseded_by' ${inList}`);
  const note = database.prepare(`
    INSERT INTO forget_bin_rows (bin_id, kind, record_id, data)
    VALUES (:binId, 'superseded', :id, json_object('was', :was, 'became', :became))`);
  const noted = database.prepare(`
    SELECT id AS noteId, record_id AS id, data ->> '$.was' AS was, data ->> '$.became' AS became
    FROM forget_bin_rows WHERE bin_id = ? AND kind = 'superseded' ORDER BY id`);
  const latest = database
    .prepare(
      `SELECT data ->> '$.became' FROM forget_bin_rows WHERE kind = 'superseded' AND record_id = ? ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const dropLater = database.prepare(
    `DELETE FROM forget_bin_rows WHERE kind = 'superseded' AND record_id = :id AND id > :noteId`,
  );
  const joinEarlier = database.prepare(`
    UPDATE forget_bin_rows SET data = json_set(data, '$.became', :became)
    WHERE kind = 'superseded' AND record_id = :id AND id < :noteId AND data ->> '$.became' IS :was`);
  const removeNote = database.prepare('DELETE FROM forget_bin_rows WHERE id = ?');
  const defer = database.prepare(`
    INSERT INTO forget_bin_rows (bin_id, kind, record_id, data)
    SELECT bin_id, 'link', record_id, json_object('superseded_by', data ->> '$.superseded_by') FROM forget_bin_rows
    WHERE id IN (SELECT value FROM json_each(:rows)) AND record_id ${inList} AND data ->> '$.superseded_by' IS NOT NULL`);
  const wanted = database.prepare(`
    SELECT record_id AS id, data ->> '$.superseded_by' AS successor FROM forget_bin_rows
    WHERE bin_id = ? AND kind = 'link' ORDER BY id`);
  const remove = database.prepare(
    `DELETE FROM forget_bin_rows WHERE bin_id = ? AND kind IN ('link', 'superseded')`,
  );
  const successorOf = database.prepare('SELECT superseded_by FROM observations WHERE id = ?').pluck();
  const change = database.prepare(
    'UPDATE observations SET superseded_by = :to WHERE id = :id AND superseded_by IS :from',
  );
  const changeInBins = database.prepare(`
    UPDATE forget_bin_rows SET data = json_set(data, '$.superseded_by', :to)
    WHERE kind IN ('observations', 'link') AND bin_id <> :binId AND record_id = :id AND data ->> '$.superseded_by' IS :from`);

  const isThere = (id: number) => successorOf.get(id) !== undefined;

  /** True when what supersedes `from`, and what supersedes that, is in the end `id`. */
  const leadsTo = (from: number, id: number): boolean => {
    const passed = new Set<number>();
    let at: number | null | undefined = from;
    while (typeof at === 'number' && at !== id && !passed.has(at)) {
      passed.add(at);
      at = successorOf.get(at) as number | null | undefined;
    }
    return at === id;
  };

  /** What went before it on the stack leads to what came after it. */
  const giveUp = ({ noteId, id, was, became }: Link) => {
    joinEarlier.run({ noteId, id, was, became });
    removeNote.run(noteId);
  };

  const linkAgain = (binId: number, { noteId, id, was }: Link): void => {
    if (leadsTo(was, id)) return;
    const from = latest.get(id) as number | null;
    const isChanged =
      change.run({ id, from, to: was }).changes + changeInBins.run({ binId, id, from, to: was }).changes > 0;
    if (isChanged) dropLater.run({ id, noteId });
  };

  return {
    take(binId, observationIds) {
      const ids = JSON.stringify(observationIds);
      const next = new Map(
        (successors.all({ ids }) as { id: number; successor: number }[]).map(({ id, successor }) => [
          id,
          successor,
        ]),
      );
      const going = new Set(observationIds);
      const links = [...survivors.all({ ids }), ...inOtherBins.all({ ids, binId })] as Pick<
        Link,
        'id' | 'was'
      >[];
      for (const { id, was } of links) {
        const became = firstThatStays(was, next, going);
        note.run({ binId, id, was, became });
        changeInBins.run({ binId, id, from: was, to: became });
      }
    },

    defer: (rows, restoredIds) => void defer.run({ rows, ids: JSON.stringify(restoredIds) }),

    putBack(binId) {
      for (const { id, successor } of wanted.all(binId) as { id: number; successor: number }[])
        if (isThere(successor) && !leadsTo(successor, id)) {
          change.run({ id, from: null, to: successor });
          changeInBins.run({ binId, id, from: null, to: successor });
        }
      for (const link of noted.all(binId) as Link[])
        if (isThere(link.was)) linkAgain(binId, link);
        else giveUp(link);
      remove.run(binId);
    },

    finish(binId) {
      for (const link of noted.all(binId) as Link[]) giveUp(link);
    },
  };
}

function firstThatStays(
  id: number,
  next: ReadonlyMap<number, number>,
  going: ReadonlySet<number>,
): number | null {
  const passed = new Set<number>();
  let at: number | undefined = id;
  while (at !== undefined && going.has(at) && !passed.has(at)) {
    passed.add(at);
    at = next.get(at);
  }
  return at === undefined || going.has(at) ? null : at;
}
