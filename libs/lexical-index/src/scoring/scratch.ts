/** Rows of numbers for the time of one query. */
export interface Scratch {
  /** Zeros, good until they are taken back. */
  lend(length: number): Float64Array;
  takeBack(): void;
}

/** What one query gives back the next one uses: as garbage the rows would be most of what a search takes. */
export interface Scratches {
  begin(): Scratch;
}

/** Kept between queries. */
const KEPT = 24;

export function createScratches(): Scratches {
  let free: Float64Array[] = [];
  return {
    begin() {
      let lent: Float64Array[] = [];
      return {
        lend(length) {
          const place = free.findIndex((row) => row.length >= length);
          const row =
            (place >= 0 && free.splice(place, 1)[0]) || new Float64Array(Math.ceil(length * 1.1) + 64);
          lent.push(row);
          return row.subarray(0, length).fill(0);
        },
        takeBack() {
          free = [...lent, ...free].slice(0, KEPT);
          lent = [];
        },
      };
    },
  };
}
