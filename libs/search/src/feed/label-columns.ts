import { labelTerm } from '@claude-mem/lexical-index/analysis';
import type { Clock } from '@claude-mem/core';
import { type DocumentTable, grownTo, RECORD_KINDS } from '@claude-mem/lexical-index';
import type { SearchTables } from '@claude-mem/storage';

/**
 * Concepts and files of every record as numbers in memory, for fast counting. The memory is released after some
 * minutes without a request and filled again by the next one.
 */
export interface LabelColumns {
  readonly concepts: LabelColumn;
  readonly files: LabelColumn & { projectOf(number: number): number };
  /** Reads new records, at most `most` at a time. Returns false when there are more. */
  refresh(documents: DocumentTable, most: number): boolean;
}

export interface LabelColumn {
  /** Start of the numbers of a slot. They end at the start of the next slot. */
  readonly starts: Uint32Array;
  readonly numbers: Uint32Array;
  /** All numbers are below this. */
  readonly count: number;
  nameOf(number: number): string;
}

/** Milliseconds until unused columns are released. */
const IDLE_MS = 5 * 60_000;

export function createLabelColumns(tables: Pick<SearchTables, 'labelsOf'>, clock: Clock): LabelColumns {
  let concepts = createColumn();
  let files = createColumn();
  let projects: number[] = [];
  let resets = -1;
  /** Slots below this have been read. */
  let end = 0;
  let usedAt = 0;
  let isWatched = false;

  const forget = () => {
    concepts = createColumn();
    files = createColumn();
    projects = [];
    resets = -1;
    end = 0;
  };
  const giveBackUnused = async () => {
    if (isWatched) return;
    isWatched = true;
    for (let left = IDLE_MS; left > 0; left = usedAt + IDLE_MS - clock.now()) await clock.sleep(left);
    isWatched = false;
    forget();
  };

  return {
    get concepts() {
      return concepts;
    },
    get files() {
      return { ...files.view(), projectOf: (number: number) => projects[number] ?? 0 };
    },
    refresh(documents, most) {
      usedAt = clock.now();
      void giveBackUnused();
      if (documents.resets !== resets) forget();
      resets = documents.resets;
      const stop = Math.min(documents.size, end + most);
      type Labels = ReturnType<SearchTables['labelsOf']>[number];
      const labels = new Map<number, ReadonlyMap<number, Labels>>();
      for (const kind of ['observation', 'summary'] as const) {
        const number = RECORD_KINDS.indexOf(kind);
        const ids: number[] = [];
        for (let slot = end; slot < stop; slot += 1)
          if (documents.kind[slot] === number && documents.isLive(slot))
            ids.push(documents.recordId[slot] as number);
        if (ids.length > 0)
          labels.set(number, new Map(tables.labelsOf(kind, ids).map((row) => [row.id, row])));
      }
      for (let slot = end; slot < stop; slot += 1) {
        const found = labels.get(documents.kind[slot] as number)?.get(documents.recordId[slot] as number);
        concepts.write(slot, found?.concepts ?? [], { group: 0, keyOf: labelTerm });
        const project = documents.projectId[slot] as number;
        files.write(slot, found?.files ?? [], {
          group: project,
          onNew: (number) => (projects[number] = project),
        });
      }
      end = stop;
      return end === documents.size;
    },
  };
}

function createColumn() {
  let starts = new Uint32Array(256);
  let numbers = new Uint32Array(256);
  const names: string[] = [];
  /** The same label in two groups has two numbers. */
  const known = new Map<number, Map<string, number>>();

  return {
    get starts() {
      return starts;
    },
    get numbers() {
      return numbers;
    },
    get count() {
      return names.length;
    },
    nameOf: (number: number) => names[number] ?? '',
    view(): LabelColumn {
      return { starts, numbers, count: names.length, nameOf: this.nameOf };
    },
    write(
      slot: number,
      labels: readonly string[],
      {
        group,
        keyOf,
        onNew,
      }: { group: number; keyOf?(label: string): string; onNew?: (number: number) => void },
    ) {
      starts = grownTo(starts, slot + 2);
      let at = starts[slot] as number;
      const begin = at;
      const ofGroup = known.get(group) ?? new Map<string, number>();
      if (labels.length > 0) known.set(group, ofGroup);
      for (const label of labels) {
        let number = ofGroup.get(label);
        if (number === undefined) {
          // The group has no label of its own.
          const key = keyOf ? `\0${keyOf(label)}` : label;
          number = ofGroup.get(key);
          if (number === undefined) {
            number = names.push(label) - 1;
            ofGroup.set(key, number);
            onNew?.(number);
          }
          ofGroup.set(label, number);
        }
        let place = begin;
        while (place < at && numbers[place] !== number) place += 1;
        if (place < at) continue;
        numbers = grownTo(numbers, at + 1);
        numbers[at] = number;
        at += 1;
      }
      starts[slot + 1] = at;
    },
  };
}
