import { grownTo } from '../growing-array.js';
import type { LoadedRows } from './loaded-rows.js';
import { createRowIds } from './row-ids.js';
import { createTopRows } from './top-rows.js';
import { QUERY_AT, ROWS_AT, ROWS_PER_SCAN, SCORES_AT, type VectorKernels } from './vector-kernels.js';

/** Whole vectors in memory: every query compares all of them. */
export function createExactRows(kernels: VectorKernels, dimensions: number): LoadedRows {
  const ids = createRowIds();
  const size = Math.ceil(dimensions / 16) * 16;
  let scales = new Float32Array(0);
  let reserved = 0;

  return {
    ids,
    append({ id, observationId, documentId, scale, values }) {
      const row = ids.length;
      if (row >= reserved) {
        reserved = Math.max(row + 1, Math.ceil(reserved * 1.25), 256);
        kernels.reserve(ROWS_AT + reserved * size);
      }
      const place = new Uint8Array(kernels.buffer, ROWS_AT + row * size, size);
      place.set(values);
      place.fill(0, dimensions);
      scales = grownTo(scales, row + 1);
      scales[row] = scale;
      ids.append(id, observationId, documentId);
    },
    compact() {
      const rows = new Uint8Array(kernels.buffer, ROWS_AT, ids.length * size);
      ids.compact((from, to) => {
        rows.copyWithin(to * size, from * size, (from + 1) * size);
        scales[to] = scales[from]!;
      });
    },
    nearest({ query, limit, mask }) {
      const place = new Int16Array(kernels.buffer, QUERY_AT, size);
      place.set(query.values);
      place.fill(0, dimensions);
      const observationIds = ids.observationIds();
      const top = createTopRows(limit, (row) => observationIds[row]!);
      const scores = new Int32Array(kernels.buffer, SCORES_AT, ROWS_PER_SCAN);
      const { length } = ids;
      for (let start = 0; start < length; start += ROWS_PER_SCAN) {
        const count = Math.min(ROWS_PER_SCAN, length - start);
        kernels.scanRows(ROWS_AT + start * size, count, size);
        let floor = top.floor();
        for (let index = 0; index < count; index += 1) {
          const row = start + index;
          const score = scores[index]! * scales[row]! * query.scale;
          if (score < floor) continue;
          const observationId = observationIds[row]!;
          if (observationId === 0 || (mask !== null && mask[observationId] !== 1)) continue;
          top.offer(score, row);
          floor = top.floor();
        }
      }
      return top.take();
    },
  };
}
