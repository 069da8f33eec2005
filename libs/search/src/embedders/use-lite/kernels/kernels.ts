/** Arithmetic over one memory. Addresses, and `inner` (the length of a row of x), are in bytes. */
export interface Kernels {
  /**
   * `y = x * w`, all float32. Rows are multiples of four, columns multiples of eight; w is in panels of 8 columns:
   * [columns / 8][inner][8].
   */
  multiply(x: number, w: number, y: number, rows: number, inner: number, columns: number): void;
  /**
   * `y = x * w * xScale[row] * wScale[column] + bias[column]`, at least `least`. x and w are int16, the others
   * float32. Rows are interleaved in groups of four, pair by pair: [rows / 4][inner / 2][4][2]. w is in panels of 8
   * columns: [columns / 8][inner / 2][8][2].
   */
  multiplyFours: MultiplyMatrix;
  /**
   * The same for rows as lists of their nonzero pairs: two int16 and the position of the pair in a panel, 8 bytes
   * together. The list of each row begins with its length in bytes, also 8 bytes, and has space for all pairs.
   */
  multiplyListed: MultiplyMatrix;
  /**
   * Converts one row of float32 to int16 of at most 1,023, pair by pair, `stride` bytes from pair to pair. Returns
   * the scale.
   */
  round(x: number, to: number, inner: number, stride: number): number;
  /** Writes the list of one such row with adjacent pairs. */
  list(x: number, to: number, inner: number): void;
  /** `to += from`, all float32; the length in bytes, a multiple of 16. */
  add(to: number, from: number, length: number): void;
  /** Normalizes one row of `width` bytes to mean 0 and standard deviation 1, `* scale + bias`, all float32. */
  normalize(x: number, to: number, width: number, scale: number, bias: number): void;
}

type MultiplyMatrix = (
  x: number,
  xScale: number,
  w: number,
  wScale: number,
  bias: number,
  y: number,
  rows: number,
  inner: number,
  columns: number,
  least: number,
) => void;
