import type { Database } from '../database/driver.js';

/**
 * The replacement links of records while some of them are in the bin. Each deletion notes the links that it changed.
 * The notes on one record form a stack, of which the lowest `was` is the original link. The caller holds the
 * transaction.
 */
export interface BinnedLinks {
  /**
   * Notes the records that the observations superseded, including those in the bin. Must be called before they are
   * removed.
   */
  take(binId: number, observationIds: readonly number[]): void;
  /** Stores the links of restored rows until all rows of the bin are restored. */
  defer(rows: string, restoredIds: readonly number[]): void;
  /** Restores links when all rows are restored. Later changes of links are kept. */
  restoreLinks(binId: number): void;
  /** Removes the notes of a final deletion. */
  finish(binId: number): void;
}

interface Link {
  /** Id of the note. */
  noteId: number;
  id: number;
  /** `was`: the link before the deletion. `became`: the link since the deletion. */
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
  // Joined through the bins, so that not all rows of a large bin are read for each part.
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

  /** Checks whether a chain of links from `from` ends at `id`. */
  const leadsTo = (from: number, id: number): boolean => {
    const passed = new Set<number>();
    let at: number | null | undefined = from;
    while (typeof at === 'number' && at !== id && !passed.has(at)) {
      passed.add(at);
      at = successorOf.get(at) as number | null | undefined;
    }
    return at === id;
  };

  /** Connects the previous note of the stack to the next one. */
  const removeFromStack = ({ noteId, id, was, became }: Link) => {
    joinEarlier.run({ noteId, id, was, became });
    removeNote.run(noteId);
  };

  const restoreLink = (binId: number, { noteId, id, was }: Link): void => {
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
      const removedIds = new Set(observationIds);
      const links = [...survivors.all({ ids }), ...inOtherBins.all({ ids, binId })] as Pick<
        Link,
        'id' | 'was'
      >[];
      for (const { id, was } of links) {
        const became = findRemaining(was, next, removedIds);
        note.run({ binId, id, was, became });
        changeInBins.run({ binId, id, from: was, to: became });
      }
    },

    defer: (rows, restoredIds) => void defer.run({ rows, ids: JSON.stringify(restoredIds) }),

    restoreLinks(binId) {
      for (const { id, successor } of wanted.all(binId) as { id: number; successor: number }[])
        if (isThere(successor) && !leadsTo(successor, id)) {
          change.run({ id, from: null, to: successor });
          changeInBins.run({ binId, id, from: null, to: successor });
        }
      for (const link of noted.all(binId) as Link[])
        if (isThere(link.was)) restoreLink(binId, link);
        else removeFromStack(link);
      remove.run(binId);
    },

    finish(binId) {
      for (const link of noted.all(binId) as Link[]) removeFromStack(link);
    },
  };
}

function findRemaining(
  id: number,
  next: ReadonlyMap<number, number>,
  removedIds: ReadonlySet<number>,
): number | null {
  const passed = new Set<number>();
  let at: number | undefined = id;
  while (at !== undefined && removedIds.has(at) && !passed.has(at)) {
    passed.add(at);
    at = next.get(at);
  }
  return at === undefined || removedIds.has(at) ? null : at;
}
